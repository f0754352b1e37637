kb-eval x y z
