. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_cuda_bags
kb-score $evaluation $baseline --candidates |
sed '$s/^[0-9a-f]\{64\}$/the id/'
