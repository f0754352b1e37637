# What is recorded of each mode, and printed. "strict" is refused with a reason
# where anything is missing, and else says nothing of what is.
. "$KB_SRC/tests/cli/eval/fixture/lib"
native_demo 12 || exit
mkdir candidates && cp "$KB_SRC/tests/submissions/demo/level_1_problem_12_sample_0_kernel.c" \
	candidates || exit
of() {
	tell kb-eval demo candidates --problems 1/12 $quick --sandbox "$@"
}
record() {
	sed 's/"policy".*//' "archives/$id/data/manifest.json" >environment
	grep -o "\"sandbox\":\"$1\"" "archives/$id/data/manifest.json"
	kb-verify $id | cut -d ' ' -f 1
}
for mode in standard off
do
	of $mode 2>err
	grep -o 'warning: .*, and' err
	statuses $id
	record $mode
done
grep -o '"isolation":.*true' environment
kb-eval demo candidates --problems 1/12 $quick --sandbox off \
	2>/dev/null | grep sandbox
if of strict 2>err
then grep -o '"isolation":.*false[^}]*' "archives/$id/data/manifest.json" |
	grep -v '"other_user":false'
else grep -q "^kb-eval: '--sandbox strict', and not in force here: [a-z_]*[,: (]" err || cat err
fi
kb-eval demo candidates --sandbox perhaps
