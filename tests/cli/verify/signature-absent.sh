# All that are wanted are looked at, and then the bundle is done with.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
cp "$keys"/*.pub .
kb-sign "$keys/bob.pem" $id >/dev/null
kb-verify -k alice.pub -k bob.pub $id
