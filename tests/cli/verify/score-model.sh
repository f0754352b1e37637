# Asked of the submission, if that is there.
KB_TEST_MODEL=honest-1
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
# Its candidates are those of the submission.
file=$(printf 'x\n' | sha256sum)
cp -R archives/$evaluation e.bag &&
sed -i "s/\(ca\)\{32\}/${file%% *}/" e.bag/data/results.jsonl &&
put e.bag && evaluation=$id
score=$(kb-score $evaluation $baseline | tail -n 1)
ask() {
	kb-verify "$1" >out
	status=$?
	sed -n 's/.*: \(arithmetic: [ms][a-z]*: \)/\1/p' out
	echo "exit $status"
}
ask $score
mv archives/$submission away
ask $score
mv away archives/$submission
cp -R archives/$score forged && chmod -R u+w forged
sed -i 's/"model":"honest-1"/"model":"famous-9"/' forged/data/manifest.json
(cd forged && sha256sum data/* >manifest-sha256.txt)
ask forged
sed -i 's/"model":"famous-9"/"model":null/' forged/data/manifest.json
(cd forged && sha256sum data/* >manifest-sha256.txt)
ask forged
