kb-sign alice.pem nosuch
