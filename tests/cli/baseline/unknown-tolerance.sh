kb-baseline --suite x --tolerance none
