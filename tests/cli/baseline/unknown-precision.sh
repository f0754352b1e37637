kb-baseline x --device cuda:0 --precision int8
