kb-baseline --suite x --device gpu
