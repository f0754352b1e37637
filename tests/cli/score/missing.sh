kb-score -e nosuch -b nosuch
