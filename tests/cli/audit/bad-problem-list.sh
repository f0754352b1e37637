. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-audit "$suite" --problems 1/x
