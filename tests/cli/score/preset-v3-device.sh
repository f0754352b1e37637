# On a device all trials derive from one seed: trials are counted, not seeds.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_cuda_bags
kb-score $evaluation $baseline -p v3 | sed -n '/^problems/,/^geomean/p'
