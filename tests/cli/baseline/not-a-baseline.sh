. "$KB_SRC/tests/cli/eval/fixture/lib"
packed=$(kb-pack suite "$suite")
kb-baseline "$suite" $quick --baseline $packed 2>why
status=$?
sed 's/[0-9a-f]\{64\}/ID/g' why >&2
ls -A archives | grep journal
exit $status
