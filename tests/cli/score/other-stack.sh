. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags baseline-other-stack
kb-score $evaluation $baseline
status=$?
ls archives | wc -l
exit $status
