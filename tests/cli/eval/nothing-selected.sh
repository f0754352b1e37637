. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-eval "$suite" "$submission" --problems 1/1 --levels 2
