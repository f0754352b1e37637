kb-audit --suite "$KB_SRC/tests/cli/eval/fixture/suite" --tolerance v3
