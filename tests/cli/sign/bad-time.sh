kb-sign --key alice.pem --time today nosuch
