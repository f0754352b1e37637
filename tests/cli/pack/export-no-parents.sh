. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
mv archives/$score s.bag && mv archives/$baseline b.bag
kb-pack export csv s.bag 2>why
echo $? && sed "s/$baseline/the id/" why
mv archives/$evaluation e.bag
kb-pack export latex s.bag -o out 2>why
status=$?
sed "s/$evaluation/the id/" why
test ! -e out || echo out
exit $status
