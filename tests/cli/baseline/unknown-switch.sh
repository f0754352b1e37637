kb-baseline x --device cuda:0 --tf32 yes
