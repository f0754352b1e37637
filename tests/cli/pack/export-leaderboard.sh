. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline -p leaderboard | tail -n 1)
kb-pack export leaderboard $score -o lb --hardware H100 --run-name ours
cat lb/data/metadata.json lb/data/results/ours_H100.json lb/data/kernels.json
