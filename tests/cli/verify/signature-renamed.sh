# Bob's, under Alice's name.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
cp "$keys"/*.pub .
alice=$(kb-sign "$keys/alice.pem" $id)
bob=$(kb-sign "$keys/bob.pem" $id)
mv -f $bob $alice
kb-verify -k alice.pub $id
