kb-score -e e
