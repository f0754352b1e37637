echo "{\"1/1\": 32}" >r.json
kb-audit --suite x --reduced r.json
