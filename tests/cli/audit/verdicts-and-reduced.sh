kb-audit --suite x --verdicts v.json --reduced r.json
