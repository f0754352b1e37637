cp "$KB_SRC/tests/cli/sign/fixture/alice.pem" .
kb-verify --public-key alice.pem nosuch
