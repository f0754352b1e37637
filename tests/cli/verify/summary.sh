# A line for each that is in order, whatever it is and however it is named;
# more where something is not, and all of it with -v.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
cp -R archives/$score mine && cp -R mine forged && chmod -R u+w forged
sed -i '1s/"speedup_micro":2000000/"speedup_micro":9000000/' \
	forged/data/scores.jsonl
(cd forged && sha256sum data/* >manifest-sha256.txt)
name() {
	sed "s/$score/SCORE/; s/$evaluation/EVALUATION/; s/$baseline/BASELINE/
		s/[0-9a-f]\{64\}/FORGED/"
}
kb-verify $score archives/$evaluation/ mine "$(echo $baseline | cut -c 1-8)" |
	name
kb-verify mine forged >said
echo "$?"
name <said
kb-verify -v forged >said
echo "$?"
grep -c 'forged: ' said
chmod u+w mine && touch "$(printf 'mine/a\nok')" && kb-verify mine
