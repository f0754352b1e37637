kb-audit --suite x --trials 3
