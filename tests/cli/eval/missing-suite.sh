kb-eval nosuch nosuch
