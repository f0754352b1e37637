kb-audit "$KB_SRC/tests/cli/eval/fixture/suite" --tolerance v3
