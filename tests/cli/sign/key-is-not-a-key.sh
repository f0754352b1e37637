echo secret >alice.pem
kb-sign --key alice.pem nosuch
