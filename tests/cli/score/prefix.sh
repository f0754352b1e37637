. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score -e $(echo $evaluation | cut -c 1-8) \
	-b $(echo $baseline | cut -c 1-8) | sed -n '/^evaluation\|^baseline/p'
