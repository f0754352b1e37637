# What kb-pack printed; others of the same command have none.
printf '{"1": {"compiled": true, "correctness": true, "runtime": 2}}' >r.json
printf '{"level7": {"1_x.py": {"mean": 5}}}' >times.json
kb-pack report --level 7 --baseline-times times.json r.json >out
id=$(tail -n 1 out)
suite=$(kb-pack suite "$KB_SRC/tests/cli/eval/fixture/suite")
kb-verify -v --table $id $suite | sed "s/$id/the report/g; s/$suite/the suite/g"
sed '$d' out >table
kb-verify -v --table $id | sed '1,/signature/d' | sed 1d | diff table - &&
echo same
