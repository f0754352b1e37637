kb-eval x
