. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_package_bags compile:default 3.7.0 5.1.0
kb-score $evaluation $baseline --allow-mismatch torch.triton_version |
	sed -n '/^mode\|^mismatches/p'
