# A score alone has its numbers; what was not checked is said.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
mv archives/$score alone.bag && rm -rf archives
kb-report -o alone.html alone.bag
echo "exit $?"
grep -o '<li class="[a-z]*"><b>[a-z]*</b>[^<]*' alone.html
