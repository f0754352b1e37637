kb-sign alice.pem
