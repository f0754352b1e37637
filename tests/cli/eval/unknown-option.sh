kb-eval --suite x --submission y --speed
