# Another transformers is another stack where a problem needs that package.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --problems 1/1
forge_package $id plain transformers_version 5.1.0
remeasure plain
make_needy
evaluate --problems 1/1
forge_package $id forged transformers_version 5.1.0
remeasure forged
remeasure --allow-mismatch torch.transformers_version forged | tail -n 1
