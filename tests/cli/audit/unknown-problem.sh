. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-audit --suite "$suite" --problems 1/9
