kb-baseline --suite x --precision bf16
