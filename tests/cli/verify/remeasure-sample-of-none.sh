kb-verify --remeasure --sample 0 some.bag
