cp "$KB_SRC/tests/cli/sign/fixture/rsa.pem" .
kb-sign --key rsa.pem nosuch
