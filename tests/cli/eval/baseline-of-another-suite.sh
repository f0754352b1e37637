. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p other/level1
cp "$suite/level1/2_Largest.c" other/level1
baseline=$(kb-baseline other $quick 2>/dev/null | tail -n 1)
mv archives/$baseline b.bag
kb-eval "$suite" "$submission" $quick --baseline b.bag
status=$?
ls -A archives | grep journal
exit $status
