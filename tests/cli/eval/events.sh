# One object a line, appended: what it is, how far, and the result itself.
. "$KB_SRC/tests/cli/eval/fixture/lib"
echo '{"kept":true}' >events
tell kb-eval "$suite" "$submission" $quick \
	--problems 1/2,2/1 --events events || test $? = 4 || exit
sed -e 's/"elapsed_ms":[0-9]*,//' \
	-e 's/"result":{.*"status":"\([a-z_]*\)".*},"total"/"result":"\1","total"/' events
# The results are those of the bundle.
sed -n 's/.*"result":\({.*}\),"total":2}$/\1/p' events |
cmp - archives/$id/data/results.jsonl
