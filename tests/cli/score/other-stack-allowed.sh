. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags baseline-other-stack
kb-score $evaluation $baseline --allow-mismatch os.libc \
	--allow-mismatch cpu.model | sed -n '/^mismatches/p'
