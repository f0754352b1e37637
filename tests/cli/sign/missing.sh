kb-sign "$KB_SRC/tests/cli/sign/fixture/alice.pem" nosuch
