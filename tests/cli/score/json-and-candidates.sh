kb-score -e e -b b -c --json
