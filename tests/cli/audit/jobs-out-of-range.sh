kb-audit --suite x --jobs 0
