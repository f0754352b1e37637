# All that the answer follows from; of a score by its evaluation.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate
evaluation=$id
remeasure_json $evaluation
tell kb-baseline "$suite" $quick 2>/dev/null || exit
tell kb-score $evaluation $id 2>/dev/null || exit
remeasure_json --sample-seed 7 $id
grep -c "\"evaluation\":\"$evaluation\"" said
