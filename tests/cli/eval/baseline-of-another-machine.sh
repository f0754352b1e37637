. "$KB_SRC/tests/cli/eval/fixture/lib"
baseline=$(kb-baseline "$suite" $quick --problems 1/1 2>/dev/null |
	tail -n 1)
forge $baseline b.bag \
	's/\("match_key":{.*"cpu\.model":"\)[^"]*/\1Babbage Engine/'
tell kb-eval "$suite" "$submission" $quick \
	--baseline b.bag 2>all
status=$?
# Columns are as wide as the name of this machine's processor.
tr -s ' ' <all |
	sed 's/^\( *[a-z._]* *\).*Babbage Engine.*/\1(ours) Babbage Engine/' >&2
ls -A archives | grep journal
exit $status
