. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-baseline --suite "$suite" --problems 1-2
