cp "$KB_SRC/tests/cli/sign/fixture/rsa.pem" .
kb-sign rsa.pem nosuch
