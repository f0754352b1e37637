. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
printf old >table.csv
ln table.csv old
kb-pack export csv $score -o table.csv && cat old && echo
wc -l <table.csv
