kb-sign alice.pem --time 2026-02-30T12:00:00Z nosuch
