. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir weights
kb-baseline "$suite" $quick --weights weights
