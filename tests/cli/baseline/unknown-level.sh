. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-baseline "$suite" --levels 1,4
