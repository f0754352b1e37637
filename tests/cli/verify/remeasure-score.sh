# A score stands for its evaluation.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate
evaluation=$id
tell kb-baseline "$suite" $quick 2>/dev/null || exit
tell kb-score $evaluation $id 2>/dev/null || exit
remeasure $id
