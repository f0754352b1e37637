kb-audit --suite x an-audit
