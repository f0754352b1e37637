# What kb-verify would refuse is not judged either: a match key with a field
# less, "correct" beside what failed or was not compared, a time withheld, a
# tolerance that there is not, problems that the options do not select.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags null
forge() {
	rm -rf forged
	cp -R "archives/$1" forged && chmod -R u+w forged &&
	sed -i "$3" "forged/data/$2" &&
	(cd forged && sha256sum data/* >manifest-sha256.txt)
}
bend_evaluation() {
	forge $evaluation "$@" && kb-score forged $baseline
	echo "exit $?"
}
bend_baseline() {
	forge $baseline "$@" && kb-score $evaluation forged
	echo "exit $?"
}
{
	bend_evaluation manifest.json 's/,"torch.version":"2.5.0"//'
	bend_evaluation manifest.json 's/"match_key":{[^}]*}/"match_key":{}/'
	rm -rf both && cp -R forged both
	forge $baseline manifest.json 's/"match_key":{[^}]*}/"match_key":{}/'
	kb-score both forged
	bend_baseline manifest.json 's/"os.libc":"glibc 2.36",//'
	bend_evaluation results.jsonl '1s/"mismatched":0/"mismatched":3/'
	bend_evaluation results.jsonl '1s/"outputs":\[{"elem[^]]*\]/"outputs":null/'
	bend_evaluation results.jsonl \
		'3s/"timing":{[^}]*},"trial/"timing":null,"trial/'
	bend_evaluation results.jsonl '1s/"trial_seeds":[^]]*/"trial_seeds":[/'
	bend_evaluation results.jsonl '1s/"elements":22/"elements":23/'
	bend_baseline results.jsonl '2s/"trial_seeds":[^]]*/"trial_seeds":[/'
	bend_evaluation manifest.json 's/"kernelbench"/"whatever"/g'
	bend_evaluation manifest.json 's/"trials":3/"trials":4/'
	bend_evaluation manifest.json 's/"problems":"[^"]*"/"problems":"1\/1"/'
	bend_baseline manifest.json 's/"problems":"[^"]*"/"problems":""/'
} 2>&1
