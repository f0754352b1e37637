# Times belong to problems by the names of their files, as in KernelBench's
# analysis: those of another version of it are left out, and so are results.
ok='"sample_id": 0, "compiled": true, "correctness": true'
cat >r.json <<END
{"1": [{$ok, "runtime": 1.0}], "2": [{$ok, "runtime": 1.0}],
 "3": [{$ok, "runtime": 1.0}], "4": [{$ok, "runtime": 2.0}],
 "51": [{$ok, "runtime": 1.0}]}
END
cat >times.json <<'END'
{"level3": {"1_MLP.py": {"mean": 4.0}, "2_Deep.py": {"mean": 100.0},
            "2_ShallowWideMLP.py": {"mean": 1.0}, "4_LeNet5.py": null,
            "3_DeepNarrowMLP_.py": {"mean": 9.0}, "51_New.py": {"mean": 9.0}},
 "level2": {"1_MLP.py": {"mean": 77.0}}}
END
kb-pack report --level 3 --baseline-times times.json r.json >out
sed '$d' out
kb-verify --table $(tail -n 1 out) | sed "s/$(tail -n 1 out)/the id/g; s/: '3_.*//"
grep -o '"levels".*"parents"' archives/*/data/manifest.json
kb-pack report --level 4 --baseline-times times.json r.json | sed '$d'

# Without names there is but one time of a number.
sed 's/level3/level7/' times.json >7.json
kb-pack report --level 7 --baseline-times 7.json r.json 2>&1
echo $?
