kb-audit --suite x --device gpu
