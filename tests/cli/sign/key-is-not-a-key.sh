echo secret >alice.pem
kb-sign alice.pem nosuch
