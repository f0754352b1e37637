kb-eval x y --speed
