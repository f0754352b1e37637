kb-score -e e -b b --clock wall
