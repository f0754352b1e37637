kb-eval --suite x --submission y --tolerance lax
