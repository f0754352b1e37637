. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
other=$(kb-pack suite s/level1 --name other)
rename baseline "s/\(51\)\{32\}/$other/"
mv archives/$id b.bag
kb-pack export kernelbench-baseline b.bag
