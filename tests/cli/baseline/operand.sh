kb-baseline x y
