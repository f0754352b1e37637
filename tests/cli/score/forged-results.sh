# Each result may be as it should, and all of them together not be those that
# the record speaks of. That is said first, whatever is wrong beside it.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags

# forge SCRIPT FILE: a copy of the evaluation that SCRIPT, for sed, changed.
forge() {
	rm -rf forged && cp -R "archives/$evaluation" forged &&
	chmod -R u+w forged && sed -i "$1" "forged/data/$2" &&
	(cd forged && sha256sum data/* >manifest-sha256.txt)
}

for script in '1{h;d};2{G}' '2p' '1d' '$d' '1,2d' 's/"key":"2\/4"/"key":"2\/5"/' \
	's/"key":"2\/4",\(.*\)"problem_id":4/"key":"2\/5",\1"problem_id":5/' \
	'3s/^{/{ /' '3s/"wall_ns":/"wall_ms":/' '$s/}$/,/' 'd'
do
	forge "$script" results.jsonl
	kb-score forged "$baseline"
	echo "$?"
done 2>&1
forge 's/"correct":/"build_failed":1,&/' manifest.json
kb-score forged "$baseline" 2>&1

# There is no such baseline, and one of another suite.
forge 2p results.jsonl
kb-score forged none 2>&1
make_bag baseline-other-suite
kb-score forged "$id" 2>&1
kb-score forged "$baseline" --sample-id 7 --preset kernelbench 2>&1
