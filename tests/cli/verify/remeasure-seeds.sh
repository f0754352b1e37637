# Under all seeds of the policy again. Then a claim that a weight written down
# is right under two.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
suite=$fixture/seeds/suite submission=$fixture/seeds/submission
evaluate --problems 1/1 --seeds 42,123
remeasure $id

evaluate --problems 1/1
forge $id forged 's/"tensor_bytes_max"/"seeds":"42,123",&/
	s/"seeds":"42",/"seeds":"42,123",/' &&
sed -i '/"status":"correct"/s/"signal"/"seeds":[42,123],&/' \
	forged/data/results.jsonl &&
(cd forged && sha256sum data/* >manifest-sha256.txt) || exit
remeasure forged --sample-size 9 >answers
echo "exit $status"
grep -v '^exit ' answers
