kb-score e
