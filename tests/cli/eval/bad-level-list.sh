. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-eval "$suite" "$submission" --levels 1-2
