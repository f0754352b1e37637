. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_cuda_bags
kb-score $evaluation $baseline --clock device --json |
sed -e 's/.*"definition":\({[^}]*}\).*"options":\({[^}]*}\).*/\1\n\2/' -e '$d'
