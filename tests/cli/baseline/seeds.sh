# The first of the seeds is a baseline's; kb-eval's list may be given as it is.
. "$KB_SRC/tests/cli/eval/fixture/lib"
for seeds in 7 7,42
do
	tell kb-baseline "$suite" $quick --problems 1/1 --seeds $seeds 2>/dev/null || exit
	grep -oE '"(weights_seed|seeds?)":"?[0-9,]*[0-9]"?' "archives/$id/data/manifest.json"
	kb-verify $id | cut -c 1-2
done
kb-baseline "$suite" --seeds 7,x
