kb-baseline x --precision bf16
