# A folder of pages is replaced, whatever pages were in it; what kb-report did not
# write stays, and nothing is written beside it.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline
mkdir mine empty && echo precious >mine/index.html
kb-report -o mine $id
echo "exit $?" && cat mine/index.html && ls -A mine
kb-report -o empty $id
kb-report -o pages $id && cp pages/index.html first && chmod a-w pages/*
sed 's/kb-report/&/' first >pages/problem-of-before.html
kb-report -o pages $id && cmp first pages/index.html && ls -A pages
for more in notes.txt .hidden leaderboard.json
do
	rm -rf pages && kb-report -o pages $id >/dev/null
	test $more != leaderboard.json || echo mine >pages/index.html
	echo mine >pages/$more
	kb-report -o pages $id
	echo "exit $?" && cat pages/$more
done
ln -s pages link
kb-report -o link $id
echo "exit $?"
ls
