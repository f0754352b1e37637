kb-score -e e -b b --sample -1
