# Signatures are passed over, and only those: a bundle in a directory that is
# called like one is looked at.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline
name=$id.$id.dsse.json
mv archives/$id $name
printf x >>$name/data/results.jsonl
make_bag evaluation
kb-verify -v $name archives/$id >said
status=$?
grep -c ': no: ' said
exit $status
