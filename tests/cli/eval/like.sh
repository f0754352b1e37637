# KernelBench's settings as one word: in the record with what they are, and no
# others beside them.
. "$KB_SRC/tests/cli/eval/fixture/lib"
native_demo 11 || exit
mkdir candidates && cp "$KB_SRC/tests/submissions/demo/level_1_problem_11_sample_1_kernel.c" \
	candidates || exit
for like in '' '--like kernelbench'
do
	tell kb-baseline demo --problems 1/11 $quick $like 2>/dev/null
	baseline=$id
	kb-verify $id | cut -d ' ' -f 1
	tell kb-eval demo candidates --problems 1/11 $quick $like 2>/dev/null
	statuses $id
	grep -oE '"(in[-_]place|like|policy.like|tf32)":"[a-z]*"' \
		"archives/$id/data/manifest.json"
	kb-verify $id | cut -d ' ' -f 1
	kb-score $id $baseline >/dev/null || exit
	# The first time there is none of the other kind.
	test -z "$first" && first=$baseline
done
kb-score $id $first 2>&1 >/dev/null | sed 's/[0-9a-f]\{64\}/the id/g'
for other in '--seeds 42,123' '--in-place refuse' '--tolerance paper' \
	'--device cuda:0 --tf32 off' '--device cuda:0 --precision bf16'
do kb-eval demo candidates --like kernelbench $other
done
kb-eval demo candidates --like nobody
