cp "$KB_SRC/tests/cli/sign/fixture/passphrase.pem" .
kb-sign passphrase.pem nosuch
