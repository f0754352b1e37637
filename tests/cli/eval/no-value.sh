kb-eval x y --device
