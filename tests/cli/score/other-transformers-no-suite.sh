# Without its suite nobody knows that no problem needs it.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_package_bags eager 3.6.0 5.2.0
kb-score $evaluation $baseline --allow-mismatch torch.transformers_version |
	sed -n '/^mode\|^mismatches/p'
kb-score $evaluation $baseline
