. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cuda
kb-pack export kernelbench-eval $evaluation --clock device --statistic mean
