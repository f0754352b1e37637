kb-baseline --suite x --modes eager,eager
