# As `kb-sign <(vault read ...)` of bash has it; so for the public key.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
cat "$keys/alice.pem" | kb-sign /proc/self/fd/0 $id | sed 's/[0-9a-f]\{64\}/ID/g'
cat "$keys/alice.pub" | kb-verify --public-key /proc/self/fd/0 $id |
	grep -o '[^ ]*signature' | head -n 1
