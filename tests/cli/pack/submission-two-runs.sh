# Of several run folders what agrees is recorded; what does not is told.
for i in 0 1
do
	mkdir run$i
	echo "# $i" >run$i/level_1_problem_1_sample_${i}_kernel.py
done
cat >run0/generation_config.yaml <<END
model_name: "mod\\xE8le"
run_name: first
temperature: 0.7
precision: fp32
END
cat >run1/generation_config.yaml <<END
model_name: modèle
run_name: second
temperature: 0.7
max_tokens: 5
END
kb-pack submission run0 run1 >id || exit
grep -o '"\(max_tokens\|model\|precision\|run_name\|sample_id\|source_format\|temperature\)":[^,}]*' \
	"archives/$(cat id)/data/manifest.json" | sort
