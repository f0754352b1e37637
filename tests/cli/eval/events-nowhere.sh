. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-eval --suite "$suite" --submission "$submission" $quick --events no/such/file
