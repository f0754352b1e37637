. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
kb-pack export kernelbench-pass-at-k $evaluation -o kb --run-name ours
cat kb/runs/ours_level2/pass_at_k_results.json
