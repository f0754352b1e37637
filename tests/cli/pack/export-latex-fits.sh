# Every table fits into a column of article, whatever the preset and the model's
# name; by an estimate, and by pdflatex where it is installed.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
fits() {
	awk -f "$KB_SRC/tests/cli/pack/fixture/latex-width.awk" "$1" |
	while read -r width
	do test "$width" -le 345 || echo "$1 is $width points wide"
	done
	type pdflatex >/dev/null 2>&1 && kpsewhich booktabs.sty >/dev/null ||
		return 0
	mkdir -p set
	{
		printf '%s\n' '\documentclass{article}' '\usepackage{booktabs}' \
			'\begin{document}' '\noindent'
		cat "$1"
		printf '%s\n' '\end{document}'
	} >set/doc.tex
	(cd set && pdflatex -interaction=batchmode -halt-on-error doc >/dev/null) ||
		echo "$1 does not compile"
	! grep -h '^Overfull' set/doc.log
}

long=$(printf 'M<x>|%060d' 0)-of-some/organisation_that:names@its+models=so
make_pair cpu
by_model "$long" && for preset in kb kernelbench leaderboard v3
do
	score "$preset" -p $preset
	eval "id=\$$preset"
	kb-pack export latex "$id" >$preset.tex && fits $preset.tex
done
score one --sample-id 1
kb-pack export latex $kb $one >several.tex && fits several.tex
again_both 's/"2\.9\.0"/"2.10.0"/g' && score third -p leaderboard
kb-pack export latex $leaderboard $third >board.tex && fits board.tex
grep -c tabular *.tex
