kb-verify --remeasure --sample-size 0 some.bag
