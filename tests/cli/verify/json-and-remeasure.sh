kb-verify --json --remeasure x
