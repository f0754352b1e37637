. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
printf x >file
for output in file/table.csv archives
do
	kb-pack export csv $score -o $output
	echo $?
done
kb-pack export kernelbench-baseline $baseline -o file
status=$?
cat file && echo && ls -A . archives | grep kb-tmp
exit $status
