kb-eval --suite x
