kb-audit --suite x --reduced nosuch.json
