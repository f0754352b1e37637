. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
printf x | dd of=archives/$id/data/results.jsonl conv=notrunc status=none
kb-sign "$KB_SRC/tests/cli/sign/fixture/alice.pem" $id
status=$?
ls archives
exit $status
