cp "$KB_SRC/tests/cli/sign/fixture/rsa.pub" .
kb-verify --public-key rsa.pub nosuch
