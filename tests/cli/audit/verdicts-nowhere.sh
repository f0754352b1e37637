. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-audit "$suite" --levels 1 --verdicts no/such/v.json
