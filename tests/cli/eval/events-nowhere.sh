. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-eval "$suite" "$submission" $quick --events no/such/file
