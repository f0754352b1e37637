kb-baseline --suite x --device cuda:0 --precision int8
