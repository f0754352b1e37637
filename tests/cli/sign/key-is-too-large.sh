head -c 16385 /dev/zero >alice.pem
kb-sign alice.pem nosuch
