# With the baseline at hand its times are what candidates are compared to.
. "$KB_SRC/tests/cli/eval/fixture/lib"
suite=$fixture/slow/suite submission=$fixture/slow/submission
baseline=$(kb-baseline "$suite" $sure 2>talk | tail -n 1)
for option in '' "--baseline $baseline"
do
	kb-eval "$suite" "$submission" $sure \
		$option 2>talk >/dev/null || exit
	sed 's/correct .* [0-9.]*x the /correct, so many times the /' talk
done
