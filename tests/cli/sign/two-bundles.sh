kb-sign alice.pem a b
