# A time that no sample gives: shown, said, and not ranked.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
good=$(kb-score $evaluation $baseline | tail -n 1)
cp -R archives/$good forged && chmod -R u+w forged &&
sed -i 's/"fast":\[3,/"fast":[4,/; s/"speedup_micro":2000000/"speedup_micro":9000000/' \
	forged/data/scores.jsonl &&
(cd forged && sha256sum data/* >manifest-sha256.txt)
kb-report --text $good forged >out
echo "exit $?" && sed "s/[0-9a-f]\{12\}/SHORT/" out
kb-report -o board forged
echo "exit $?"
grep -o '<li class="[a-z]*"><b>[a-z]*</b>[^<]*' board/index.html
