# A signature is not a bundle, and no answer about none.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
cp "$keys"/*.pub .
kb-sign "$keys/alice.pem" $id >/dev/null
kb-verify -k alice.pub archives/*.dsse.json
