. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
cp "$keys"/*.pub .
kb-sign "$keys/alice.pem" $id >name
sed -i 's/"payload":"eyJ/"payload":"eyK/' "$(cat name)"
kb-verify -k alice.pub $id
