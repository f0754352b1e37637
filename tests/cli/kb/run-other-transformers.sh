# A baseline that was made with another transformers is no baseline for a suite of
# which a problem needs that package.
. "$KB_SRC/tests/cli/eval/fixture/lib"
run() {
	kb run "$submission" --suite "$suite" --problems 1/1 -- $quick 2>/dev/null |
		sed -n 's/^baseline [0-9a-f]\{64\}/baseline ID/p'
}
# In place of the only baseline that is there.
forge_baseline() {
	baseline=$(kb name | sed -n 's/^\([0-9a-f]*\).*last:baseline$/\1/p')
	rm -rf bag && forge_package $baseline bag transformers_version 5.1.0 &&
	rm -rf "archives/$baseline" &&
	id=$(sha256sum <bag/manifest-sha256.txt) &&
	mv bag "archives/${id%% *}"
}
run
forge_baseline
run
make_needy
run
run
forge_baseline
run
