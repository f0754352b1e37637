. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-baseline "$suite" $quick --levels 2 || test $? = 4 || exit
statuses $id
grep -o '"problems":\[[^]]*\]' archives/$id/data/manifest.json
