# One of them is none that can be read, or of another kind; what else is made
# from exactly one.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
make_pair cpu
score a && ln -s archives/$a a
refused() {
	kb-pack export "$@" -o out 2>why
	echo $? && head -n 1 why
}
ln -s archives/$baseline baseline
refused markdown a baseline
refused latex a nosuch
refused csv nosuch a
for format in kernelbench-baseline kernelbench-eval kernelbench-runs \
	kernelbench-pass-at-k kernelbench-analysis leaderboard json
do refused $format a a
done
score b --sample-id 1 && ln -s archives/$b b
mv archives/$evaluation e.bag
refused csv b a | sed "s/$evaluation/evaluation/"
test ! -e out || echo out
