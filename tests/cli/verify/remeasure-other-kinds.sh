. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
remeasure $suite_id
remeasure $submission_id
