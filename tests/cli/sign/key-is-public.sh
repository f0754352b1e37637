cp "$KB_SRC/tests/cli/sign/fixture/alice.pub" .
kb-sign alice.pub nosuch
