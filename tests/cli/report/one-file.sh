# It replaces what was there, and has no link to another file.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
echo old >score.html
kb-report -o score.html $score && grep -c '<h1>' score.html
grep -o '<a href="[^"]*"' score.html
grep -oE '(https?:|//)[a-z]+' score.html
grep -oE ' (src|href|on[a-z]+|style)=' score.html
ls -A | grep -v '^\.\(out\|err\)$'
