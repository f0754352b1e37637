. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-audit "$suite" --levels 7
