kb-audit
