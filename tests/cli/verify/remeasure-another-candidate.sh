. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
forge_lines $id forged '1s/"candidate_sha256":"...../"candidate_sha256":"00000/'
remeasure forged
