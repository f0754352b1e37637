# A machine's OpenSSL configuration that leaves out Ed25519 is not ours.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
cat >openssl.cnf <<'END'
openssl_conf = start
[start]
providers = all
[all]
base = one
[one]
activate = 1
END
OPENSSL_CONF=openssl.cnf kb-sign "$keys/alice.pem" $id >name
OPENSSL_CONF=openssl.cnf kb-verify -v --public-key "$keys/alice.pub" $id |
	grep -o 'signature: ok'
