# Before anything is made, and none is.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
for name in 0123abcd @last a/b '' .hidden 'two words'
do
	kb score $evaluation $baseline --name "$name" 2>&1 | head -n 1
	kb name "$name" $baseline
done
kb name one
kb name --delete one two
kb name one nosuch
# A bundle that is not in the store would not be found there.
mv archives/$baseline elsewhere
kb name one elsewhere 2>&1 | sed "s/$baseline/BASELINE/"
mkdir archives/.names && echo $baseline >archives/.names/gone
kb verify gone 2>&1 | sed "s/$baseline/BASELINE/"
echo text >archives/.names/bent
kb verify bent
ls archives | grep -c .
kb baseline x --modes eager,compile:default --device cuda:0 --name x 2>&1 | head -n 1
