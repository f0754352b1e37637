echo "{\"n\": {}}" >r.json
kb-audit x --reduced r.json
