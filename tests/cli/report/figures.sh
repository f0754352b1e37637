# Each is well-formed on its own; to standard output and to a file the same. A PDF
# is asked of another program.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
for name in fast-p speedups outcomes spread
do
	kb-report figure $name $score >$name.svg &&
	kb-report figure $name $score -o again.svg &&
	cmp $name.svg again.svg && head -c 23 $name.svg && echo " $name"
done
kb-report figure fast-p $score -o fast-p.pdf
echo $?
test ! -e fast-p.pdf
