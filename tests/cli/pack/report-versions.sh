# Versions 0 and 0.1 say the same, and without times there are no speedups. Of a
# level that KernelBench does not have, times go by their numbers.
cat >v0.json <<'END'
{"3": {"compiled": true, "correctness": true, "metadata": {}, "runtime": 1.5,
       "runtime_stats": {}},
 "1": {"sample_id": 0, "compiled": true, "correctness": false, "runtime": -1.0}}
END
cat >v01.json <<'END'
{"1": [{"sample_id": 0, "compiled": true, "correctness": false, "runtime": -1.0}],
 "2": [{"sample_id": 1, "compiled": true, "correctness": true, "runtime": 9}],
 "3": [{"sample_id": 1, "compiled": true, "correctness": true, "runtime": 0.1},
       {"sample_id": 0, "compiled": true, "correctness": true, "runtime": 1.5}]}
END
printf '%s\n' '{"level7": {"3_x.py": {"mean": 3.0}, "4_y.py": null, "5_z.py": {"mean": 1}},' \
	'"level1": {"3_x.py": {"mean": 77}}}' >times.json
for file in v0.json v01.json
do
	kb-pack report --level 7 $file | sed '$d'
	kb-pack report --level 7 --baseline-times times.json $file | sed '$d'
done
