kb-verify --remeasure --sample-seed 9007199254740992 some.bag
