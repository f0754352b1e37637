# Nothing that wants what we measured takes a report for it.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
printf '{"1": {"compiled": true, "correctness": true, "runtime": 1}}' >r.json
printf '{"level1": {"1_x.py": {"mean": 5}}}' >times.json
report=$(kb-pack report --level 1 --baseline-times times.json r.json | tail -n 1)
refused() {
	"$@" >out 2>why
	echo $? "$(sed "s/$report/the report/" why)"
	cat out
}
refused kb-score $report $baseline
refused kb-score $evaluation $report
refused kb-score $report $report
refused kb-pack export kernelbench-eval $report
refused kb-pack export csv $report
refused kb-pack export kernelbench-eval $evaluation --baseline $report -o kb
refused kb-pack publish $report
