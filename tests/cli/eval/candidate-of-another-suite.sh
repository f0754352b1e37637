. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p other/level1
cp "$suite/level1/2_Largest.c" other/level1
kb-eval other "$submission"
