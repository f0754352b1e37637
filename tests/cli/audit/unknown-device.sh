kb-audit x --device gpu
