. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_cuda_bags
kb-report --text $evaluation
kb-report --text $baseline
kb-report --text $evaluation $baseline
