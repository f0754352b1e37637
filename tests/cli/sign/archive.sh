# Beside the archive, which is what somebody has who signs elsewhere.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
mkdir mail
kb-pack archive -o mail/run.tar.gz $id
kb-sign "$keys/alice.pem" mail/run.tar.gz
kb-verify -v --public-key "$keys/alice.pub" mail/run.tar.gz | sed 's/^.*gz: //'
cp mail/*.dsse.json archives
kb-verify -v --public-key "$keys/alice.pub" archives/* | grep -c 'signature: ok'
