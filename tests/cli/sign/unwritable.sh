# Where the signature should go there is a directory.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
kb-sign "$KB_SRC/tests/cli/sign/fixture/alice.pem" $id >name
rm "$(cat name)"
mkdir "$(cat name)"
kb-sign "$KB_SRC/tests/cli/sign/fixture/alice.pem" $id
status=$?
ls -A archives | grep -v '^\.names$' | sort
exit $status
