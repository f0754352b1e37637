kb-eval --suite x --submission y --device cuda:x
