echo "{\"n\": {}}" >r.json
kb-audit --suite x --reduced r.json
