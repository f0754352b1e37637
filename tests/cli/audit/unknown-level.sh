. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-audit --suite "$suite" --levels 7
