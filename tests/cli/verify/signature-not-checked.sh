. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
cp "$keys"/*.pub .
kb-sign "$keys/alice.pem" $id >/dev/null
kb-sign "$keys/bob.pem" $id >/dev/null
kb-verify -v archives/* | grep signature
kb-verify -v -k bob.pub archives/* | grep signature
