# A candidate that squares its input where it is, of the demo's 1/11: refused, or
# correct where that is accepted, on inputs that are made anew for each call.
. "$KB_SRC/tests/cli/eval/fixture/lib"
native_demo 11 || exit
mkdir candidates && cp "$KB_SRC/tests/submissions/demo/level_1_problem_11_sample_1_kernel.c" \
	candidates || exit
for mode in refuse accept
do
	tell kb-eval demo candidates --problems 1/11 $quick \
		--in-place $mode 2>/dev/null
	statuses $id
	grep -o '"in[-_]place":"[a-z]*"' "archives/$id/data/manifest.json"
	kb-verify $id | cut -d ' ' -f 1
done
kb-eval demo candidates --in-place perhaps
