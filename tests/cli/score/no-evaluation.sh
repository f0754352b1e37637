kb-score
