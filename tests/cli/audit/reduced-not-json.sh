echo "{1: 2}" >r.json
kb-audit x --reduced r.json
