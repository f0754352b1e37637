# One time is missing, for want of a gate; the folder has the GPU's name.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cuda
kb-pack export kernelbench-baseline $baseline --clock device -o kernelbench
cat kernelbench/results/timing/*/*
kb-pack export kernelbench-baseline $baseline --hardware 'My GPU/0' -o .
