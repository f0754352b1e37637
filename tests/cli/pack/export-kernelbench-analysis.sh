. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline -p kernelbench | tail -n 1)
kb-pack export kernelbench-analysis $score -o kb --hardware H100
cat kb/runs/*/analysis.json
