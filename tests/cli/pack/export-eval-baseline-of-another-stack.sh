. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
rename baseline-other-stack "s/\(51\)\{32\}/$suite/"
mv archives/$evaluation e.bag && mv archives/$id b.bag
kb-pack export kernelbench-eval e.bag --baseline b.bag -o out
