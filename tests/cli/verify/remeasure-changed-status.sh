# The record calls correct what is not: one that was swapped, everything else
# being consistent with it.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
mkdir swapped
cp "$submission"/level_1_* swapped
cp swapped/level_1_problem_1_sample_1_kernel.c \
	swapped/level_1_problem_1_sample_0_kernel.c
other=$(kb-pack submission swapped | tail -n 1)
was=$(sha256sum <"$submission/level_1_problem_1_sample_0_kernel.c")
is=$(sha256sum <swapped/level_1_problem_1_sample_0_kernel.c)
forge_lines $id forged "s/${was%% *}/${is%% *}/"
sed -i "s/$submission_id/$other/" forged/data/manifest.json
(cd forged && sha256sum data/* >manifest-sha256.txt)
remeasure forged
