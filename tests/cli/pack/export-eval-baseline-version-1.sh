# KernelBench would divide by its times.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
rename baseline-v1 "s/\(51\)\{32\}/$suite/"
mv archives/$evaluation e.bag && mv archives/$id b.bag
kb-pack export kernelbench-eval e.bag --baseline b.bag -o out
