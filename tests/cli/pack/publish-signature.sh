# A signature goes with its bundle, and holds where that was unpacked.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null
openssl pkey -in key.pem -pubout -out public.pem
kb-sign key.pem $baseline >/dev/null
kb-pack publish $baseline -o x.tar.gz >said
tar -tzf x.tar.gz | grep dsse | sed 's,^[^/]*/,,' | sed 's/[.][0-9a-f]*[.]/.the key./; s/ .*//'
tar -xzf x.tar.gz && cd kb-* && kb-verify -v --store . -k ../public.pem $baseline |
	grep ': bytes: \|: signature: ' | sed '/signature/s/ok, .*/ok/'
grep -c 'dsse' README.md
