. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
mv archives/$submission gone
kb-pack publish $score -o x.tar.gz
status=$?
ls
exit $status
