kb-sign --key alice.pem
