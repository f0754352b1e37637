# Where workers are another user, weights that only their owner may read are
# refused: the worker would say that they are not there.
. "$KB_SRC/tests/cli/eval/fixture/lib"
chmod 755 .
mkdir -m 755 weights
echo 3 >weights/scale
chmod 600 weights/scale
kb-baseline "$suite" $quick --problems 1/1 --weights weights 2>err >out
status=$?
# Who is not root is the workers' user, and may.
test "$(id -u)" = 0 || { test $status = 0 && status=3 &&
	echo "kb-baseline: weights: other users cannot read '$PWD/weights/scale'" >err; }
sed "s|$PWD|here|" err >&2
exit $status
