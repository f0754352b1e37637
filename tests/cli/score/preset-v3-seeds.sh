# v3 wants five seeds: how many there were is in the definition and the table.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline && baseline=$id || exit
for seeds in 42,123,456,789,1337 42,123
do
	mkdir -p archives &&
	cp -R "$KB_SRC/tests/cli/score/fixture/evaluation" archives/new &&
	chmod -R u+w archives/new &&
	sed -i -e 's/"run_timeout_ns":[0-9]*,/&"seeds":"'$seeds'",/' \
		-e 's/"seed":"42",/&"seeds":"'$seeds'",/' \
		archives/new/data/manifest.json &&
	sed -i '/"status":"correct"/s/"signal"/"seeds":['$seeds'],&/' \
		archives/new/data/results.jsonl &&
	seal_bag || exit
	kb-score $id $baseline --preset v3 >said
	sed '$d' said
	kb-verify -v $(tail -n 1 said) |
		grep -o 'arithmetic: .*'
	grep -o '"definition":{[^}]*' \
		"archives/$(tail -n 1 said)/data/manifest.json" |
		grep -o '"seeds":"[0-9,]*"'
	kb-score $id $baseline | grep seeds
done
true
