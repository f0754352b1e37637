# The submission need not be here if the run has a name.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
mv archives/$submission away
kb-pack export kernelbench-eval $evaluation -o . --run-name a_level2
