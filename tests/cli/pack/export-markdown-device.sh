. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cuda
score=$(kb-score $evaluation $baseline --clock device | tail -n 1)
kb-pack export markdown $score -o table.md
sed "s/$score/the score/" table.md
