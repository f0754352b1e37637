. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
mv archives/$submission_id away
remeasure $id
mv away archives/$submission_id
mv archives/$suite_id away
remeasure $id
