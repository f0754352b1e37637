kb-score e b -c --json
