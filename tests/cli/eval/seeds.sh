# Under one seed a weight that is written down is right, under more it is not;
# what is honest stays correct. The record has the seeds, and passes its checks.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-eval "$fixture/seeds/suite" \
	"$fixture/seeds/submission" $quick
for seeds in '' '--seeds 42' '--seeds 42,123' '--seeds 42,123,456' \
	'--seeds 123,42'
do
	echo "with $seeds"
	echo "with $seeds" >&2
	tell "$@" $seeds || exit
	grep -o '"policy":{[^}]*' "archives/$id/data/manifest.json" |
		grep -o '"seeds":"[0-9,]*"'
	sed -n 's/.*"sample_id":\([0-9]*\),\("seeds":[^]]*]\)*.*"status":"\([a-z_]*\)".*/\1 \3 \2/p' \
		"archives/$id/data/results.jsonl"
	kb-verify $id >answers || cat answers
done
