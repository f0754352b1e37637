# Each is well-formed on its own; to standard output and to a file the same. What
# is called PDF is one.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
for name in fast-p speedups outcomes spread
do
	kb-report figure $name $score >$name.svg &&
	kb-report figure $name $score -o again.svg &&
	cmp $name.svg again.svg && head -c 23 $name.svg && echo " $name"
	kb-report figure $name $score -o $name.pdf &&
	head -n 1 $name.pdf && grep -a -o '/Title .*' $name.pdf
done
