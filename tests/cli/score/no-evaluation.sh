kb-score -b b
