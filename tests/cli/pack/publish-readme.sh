. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline -p kernelbench | tail -n 1)
kb-pack publish $score --title 'Two *new* kernels' --license CC-BY-4.0 -o x.tar.gz >/dev/null
tar -xzOf x.tar.gz kb-$(echo $score | cut -c 1-16)/README.md |
	sed "s/$(echo $score | cut -c 1-16)[0-9a-f]*/the score/"
