kb-sign --key alice.pem nosuch
