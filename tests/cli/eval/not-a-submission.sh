. "$KB_SRC/tests/cli/eval/fixture/lib"
id=$(kb-pack suite "$suite")
tell kb-eval "$suite" "$id"
