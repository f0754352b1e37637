kb-baseline --suite x y
