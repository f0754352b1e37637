echo "[]" >r.json
kb-audit x --reduced r.json
