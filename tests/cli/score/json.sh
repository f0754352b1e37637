. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb-score $evaluation $baseline --json |
sed -e 's/"tool":{[^}]*}/"tool":{}/' -e '$s/^[0-9a-f]\{64\}$/the id/'
