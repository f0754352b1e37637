kb-score nosuch nosuch
