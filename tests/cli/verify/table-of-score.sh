# What kb-score printed; without its parents it is not known to be so.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score $evaluation $baseline >out
score=$(tail -n 1 out)
sed '$d' out >table
kb-verify -v --table $score | sed '1,/signature/d' | sed 1d | diff table - &&
echo same
rm -rf archives/$baseline
kb-verify -v --table $score >out
echo "exit $?"
tail -n 1 out | sed 's/[0-9a-f]\{64\}/the id/'
