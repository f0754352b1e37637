. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score $(echo $evaluation | cut -c 1-8) \
	$(echo $baseline | cut -c 1-8) | sed -n '/^evaluation\|^baseline/p'
