kb-baseline --suite x --modes compile:default
