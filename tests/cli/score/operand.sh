kb-score e b c
