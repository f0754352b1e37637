kb-score e b --sample-id -1
