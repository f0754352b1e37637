# Which scores do not go together, whatever the format; and an earlier file
# stays.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
printf old >table
refused() {
	for format in csv markdown latex
	do
		kb-pack export $format "$@" -o table 2>&1
		echo $?
	done | sort | uniq -c | sed "s/^ *//; s/'$a'/'the id of a'/"
	cat table && echo
}
place() {
	ln -s archives/$2 $1
}
make_pair cpu
score a && place a $a
refused a $a
refused a a
(score b --sample-id 1 && place b $b && place again $a &&
	refused a b again)
(score v3 -p v3 && place v3 $v3 && refused a v3)
(score leaderboard -p leaderboard && place theirs $leaderboard &&
	refused theirs a)
(before=$suite
printf 'y\n' >s/level1/1_Square.py
suite=$(kb-pack suite s)
again_both "s/$before/$suite/" && score other && place other $other &&
	refused a other)
(make_pair cuda && score cuda && place cuda $cuda && refused a cuda &&
	refused cuda a)
ls
