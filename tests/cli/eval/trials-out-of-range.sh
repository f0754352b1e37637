kb-eval --suite x --submission y --trials 0
