# Signing changes nothing of the bundle, and twice gives the same bytes.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
kb-sign "$keys/alice.pem" $id
cp archives/*.dsse.json first
kb-sign "$keys/alice.pem" archives/$id
cmp first archives/$id.*.dsse.json
cut -d '"' -f 4 first | base64 -d | sed 's/"tool":{[^}]*}/"tool":{}/'
echo
(cd archives/$id && ls && sha256sum --quiet -c manifest-sha256.txt)
sha256sum <archives/$id/manifest-sha256.txt
