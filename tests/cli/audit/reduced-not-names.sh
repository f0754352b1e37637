echo "{\"1/1\": 32}" >r.json
kb-audit x --reduced r.json
