cat "$KB_SRC"/tests/cli/sign/fixture/alice.pem "$KB_SRC"/tests/cli/sign/fixture/bob.pem >keys.pem
kb-sign keys.pem nosuch
