. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score $evaluation $baseline -p kernelbench --json |
sed -e 's/"tool":{[^}]*}/"tool":{}/' -e '$d'
