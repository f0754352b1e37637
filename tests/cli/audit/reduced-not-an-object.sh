echo "[]" >r.json
kb-audit --suite x --reduced r.json
