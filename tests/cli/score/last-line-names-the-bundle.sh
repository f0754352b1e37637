. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
cd archives/$score && sha256sum -c --quiet manifest-sha256.txt &&
cat data/scores.jsonl
