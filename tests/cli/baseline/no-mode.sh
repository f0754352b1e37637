kb-baseline --suite x --modes ,
