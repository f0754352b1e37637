kb-verify --json -v x
