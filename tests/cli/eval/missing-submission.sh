. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-eval "$suite" nosuch
