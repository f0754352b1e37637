kb-audit x --reduced nosuch.json
