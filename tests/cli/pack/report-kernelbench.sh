# Numbers of KernelBench's own analysis, which the golden case has.
golden=$KB_SRC/tests/golden/kernelbench
kb-pack report --level 1 --baseline-times "$golden/baselines/H100_PCIe_LambdaLabs/baseline_time_torch.json" \
	"$golden/score/case00/eval_results.json" >out
sed '$d' out
id=$(tail -n 1 out)
kb-verify $id | sed "s/$id/the id/g"
sed 's/.*\("levels".*\),"parents".*"results":.*\("schema_version".*\),"tool".*/\1,\2/' archives/$id/data/manifest.json
