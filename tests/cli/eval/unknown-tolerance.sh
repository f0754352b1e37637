kb-eval x y --tolerance lax
