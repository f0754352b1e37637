kb-audit --suite x --tolerance mine
