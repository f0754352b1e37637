kb-sign --key alice.pem a b
