. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
mv archives/$score s.bag && chmod -R u+w archives/$baseline
printf x | dd of=archives/$baseline/data/results.jsonl conv=notrunc status=none
kb-pack export markdown s.bag
