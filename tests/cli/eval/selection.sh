# Only what is selected is judged, and the record says what that was.
. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-eval "$suite" "$submission" $quick \
	--problems 1/2,2/1,2/1 --levels 1,2 || test $? = 4 || exit
statuses $id
grep -o '"problems":\[[^]]*\]' archives/$id/data/manifest.json
