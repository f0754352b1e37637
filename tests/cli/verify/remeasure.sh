# Only what is correct has something to compare.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate
remeasure $id
