. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-baseline --suite "$suite" $quick --weights nowhere
