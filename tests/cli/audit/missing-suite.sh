kb-audit --suite nosuch
