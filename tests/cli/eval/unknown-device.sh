kb-eval x y --device cuda:x
