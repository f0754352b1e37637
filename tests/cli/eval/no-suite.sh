kb-eval
