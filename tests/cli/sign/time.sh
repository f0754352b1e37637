. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
keys=$KB_SRC/tests/cli/sign/fixture
kb-sign "$keys/alice.pem" --time 2024-02-29T12:00:00Z ${id%??????????} >name
cut -d '"' -f 4 "$(cat name)" | base64 -d | grep -o '"time":[^,]*'
