kb-baseline --suite nosuch
