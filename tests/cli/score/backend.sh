# Candidates in one backend alone: the others are missing, no problem leaves the
# denominator, and what is correct in each adds up.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
written_in() {			# the backend of each line, "-" if missing
	make_bag baseline && baseline=$id &&
	cp -R "$KB_SRC/tests/cli/score/fixture/evaluation" archives/new &&
	i=0 &&
	for backend
	do
		i=$((i + 1))
		test $backend = - || sed -i "$i"'s/^{/{"backend":"'$backend'",/' \
			archives/new/data/results.jsonl || return
	done
	seal_bag && evaluation=$id
}
written_in triton cuda triton triton cuda - || exit
kb-score $evaluation $baseline --backend triton -c |
	sed '/^evaluation/d; /^baseline/d; $s/^[0-9a-f]\{64\}$/the id/'
for preset in kb kernelbench leaderboard v3
do
	for backend in triton cuda cupy
	do
		score=$(kb-score $evaluation $baseline --backend $backend \
			-p $preset | tail -n 1)
		echo "$preset $backend"
		kb-score $evaluation $baseline --backend $backend \
			-p $preset | grep '^problems\|^statuses'
		kb-verify -v $score | grep -o 'score: ok.*'
	done
done
