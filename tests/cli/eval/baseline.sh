# With the baseline at hand its times are what candidates are compared to.
. "$KB_SRC/tests/cli/eval/fixture/lib"
# On a busy machine one trial may find no time.
quick='--trials 5 --threads 1'
suite=$fixture/slow/suite submission=$fixture/slow/submission
baseline=$(kb-baseline "$suite" $quick 2>talk | tail -n 1)
for option in '' "--baseline $baseline"
do
	kb-eval "$suite" "$submission" $quick \
		$option 2>talk >/dev/null || exit
	sed 's/correct .* [0-9.]*x the /correct, so many times the /' talk
done
