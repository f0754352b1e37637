kb-audit x --tolerance mine
