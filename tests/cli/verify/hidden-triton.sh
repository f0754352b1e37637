# A score that does not tell that another Triton compiled its baseline.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_package_bags compile:default 3.7.0 5.1.0
score=$(kb-score $evaluation $baseline \
	--allow-mismatch torch.triton_version | tail -n 1)
kb-verify -v $score | grep -E ': (match_keys|score): ' | sed 's/[0-9a-f]\{64\}/the id/g'
mkdir archives/new && cp -R archives/$score/data archives/new &&
	sed -i 's/"allowed_mismatches":\[[^]]*\]/"allowed_mismatches":[]/' \
		archives/new/data/manifest.json && seal_bag
kb-verify -v $id >out
status=$?
grep -E ': (match_keys|score): ' out | sed 's/[0-9a-f]\{64\}/the id/g'
exit $status
