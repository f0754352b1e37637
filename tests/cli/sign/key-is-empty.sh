: >alice.pem
kb-sign alice.pem nosuch
