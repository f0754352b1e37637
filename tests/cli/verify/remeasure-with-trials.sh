# Enough of them for intervals; the answer is the clock's.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
quick='--trials 8 --threads 1'
evaluate --levels 1
remeasure $id
