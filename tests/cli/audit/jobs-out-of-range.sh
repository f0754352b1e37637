kb-audit x --jobs 0
