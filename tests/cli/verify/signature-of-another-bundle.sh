. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
cp "$keys"/*.pub .
first=$(kb-sign "$keys/alice.pem" $id)
make_bag baseline
second=$(kb-sign "$keys/alice.pem" $id)
mv -f $first $second
kb-verify -k alice.pub $id
