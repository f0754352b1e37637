# Some of them, by a seed that anybody can find out; or all there are.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
make_four
evaluate --problems 1/1
remeasure --sample-size 2 $id 2>talk.steady | grep -c '^1/1 [0-3] timed'
seed=$(sed -n 's/.*; sample seed //p' said)
test "$seed" = $((0x$(echo $id | cut -c 1-13))) || echo "seed $seed of $id"
grep -c '^\[' talk.steady
remeasure --sample-size 3 --sample-seed 12345 $id 2>/dev/null | tail -n 1
remeasure --sample-size 4 --sample-seed 12345 $id 2>/dev/null | tail -n 1
remeasure --sample-size 1000000 $id 2>/dev/null | tail -n 1
