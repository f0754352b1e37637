kb-audit x --trials 3
