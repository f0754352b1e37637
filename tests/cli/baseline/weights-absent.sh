. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-baseline "$suite" $quick --weights nowhere
