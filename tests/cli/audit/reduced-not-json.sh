echo "{1: 2}" >r.json
kb-audit --suite x --reduced r.json
