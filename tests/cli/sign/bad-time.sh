kb-sign alice.pem --time today nosuch
