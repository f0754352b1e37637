kb-eval x y --trials 0
