. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-baseline "$suite" --problems 1-2
