. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags baseline-other-stack
score=$(kb-score $evaluation $baseline --allow-mismatch cpu.model \
	--allow-mismatch os.libc | tail -n 1)
mv archives/$score score.bag
kb-verify -v score.bag | grep -E ': (chain|arithmetic)'
