# Scores by compiled baselines, one pair made with another Triton: they are ranked
# apart, and by eager baselines beside each other.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
score_of() {	# MODE TRITON
	package_bag evaluation-cuda - $2 5.1.0 && evaluation=$id &&
	package_bag baseline-cuda $1 $2 5.1.0 && baseline=$id &&
	kb-score $evaluation $baseline | tail -n 1
}
for mode in compile:default eager
do
	first=$(score_of $mode 3.6.0)
	second=$(score_of $mode 3.7.0)
	kb-report --text $first $second | sed "s/[0-9a-f]\{12\}/SHORT/"
	rm -rf archives
done
