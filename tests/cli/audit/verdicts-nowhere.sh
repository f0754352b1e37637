. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-audit --suite "$suite" --levels 1 --verdicts no/such/v.json
