# The submission says it, if it is there; every preset's score names it.
KB_TEST_MODEL='=m-1, "high"'
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
say() {
	score=$(kb-score $evaluation $baseline "$@" | tee out | tail -n 1)
	sed -n 's/^model  */table: /p' out
	grep -o '"model":[^]}]*' "archives/$score/data/manifest.json" |
		sed 's/,"options".*//; s/^/record: /'
}
for preset in kb kernelbench v3
do say -p $preset
done
kb-pack export csv $score | sed -n '2s/.*,\("[^:]*high[^,]*\),.*/csv: \1/p'
mv archives/$submission away
say
echo "without: $(kb-pack export markdown $score | grep model)"
chmod -R u+w archives && rm -r archives
KB_TEST_MODEL=
make_pair cpu
say
