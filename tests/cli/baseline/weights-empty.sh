. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir weights
kb-baseline --suite "$suite" $quick --weights weights
