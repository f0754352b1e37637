kb-audit x --verdicts v.json --reduced r.json
