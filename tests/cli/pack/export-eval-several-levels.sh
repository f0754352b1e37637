. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
kb-pack export kernelbench-eval $evaluation
