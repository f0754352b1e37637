. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
kb-pack export kernelbench-eval $evaluation --baseline $baseline -o kb
cat kb/runs/my_run_level1/* kb/runs/my_run_level2/*
