# And back: the folder of a run packs to the same candidates.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
cat >>run/generation_config.yaml <<'END'
model_name: "a: model"
temperature: 0.70
max_tokens: 4096
END
submission=$(kb-pack submission run)
rename evaluation "s/\(51\)\{32\}/$suite/" "s/\(5b\)\{32\}/$submission/"
kb-pack export kernelbench-runs $id -o kb
cat kb/runs/my_run_level1/generation_config.yaml \
	kb/runs/my_run_level1/pass_at_k_results.json
again=$(kb-pack submission kb/runs/my_run_level1)
for member in archives/$again/data/candidates/level1/*/*
do cmp $member archives/$submission/${member#archives/*/} && echo same
done
