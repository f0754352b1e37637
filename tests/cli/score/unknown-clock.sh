kb-score e b --clock wall
