# Presets say what they want of candidates that overwrite their inputs: refused
# by kb, accepted by KernelBench, either by v3. What the evaluation did is in the
# definition and, where the two differ, a warning.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline && baseline=$id || exit
new() {
	mkdir -p archives &&
	cp -R "$KB_SRC/tests/cli/score/fixture/evaluation" archives/new &&
	chmod -R u+w archives/new
}
by_presets() {
	for preset in kb kernelbench v3
	do
		echo "$1, by $preset:"
		kb-score $id $baseline --preset $preset >said || exit
		grep -E '^WARNING' said
		score=$(tail -n 1 said)
		grep -o '"in_place":"[a-z]*"' "archives/$score/data/manifest.json"
		kb-verify $score | cut -d ' ' -f 1
	done
}

new && sed -i -e 's/"log_limit_bytes"/"in_place":"accept",&/' \
	-e 's/"log-kib"/"in-place":"accept",&/' archives/new/data/manifest.json &&
	seal_bag || exit
by_presets accepted
new && sed -i 's/"signal":"SIGSEGV","status":"crashed"/"signal":null,"status":"inputs_modified"/' \
	archives/new/data/results.jsonl &&
	sed -i 's/"crashed":1/"inputs_modified":1/' archives/new/data/manifest.json &&
	seal_bag || exit
by_presets refused
