cp "$KB_SRC/tests/cli/sign/fixture/passphrase.pem" .
kb-sign --key passphrase.pem nosuch
