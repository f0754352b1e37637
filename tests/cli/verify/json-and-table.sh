kb-verify --json --table x
