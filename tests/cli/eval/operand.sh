kb-eval --suite x --submission y z
