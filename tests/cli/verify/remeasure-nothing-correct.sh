. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 2
remeasure $id
