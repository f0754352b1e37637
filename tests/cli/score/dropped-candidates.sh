# What was submitted has a line, of that very file, and nothing else has: asked
# of the submission, if it is in the store, before there is a score.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
usual=$submission
all="1_problem_1_sample_0 1_problem_1_sample_1 1_problem_2_sample_0
	1_problem_19_sample_0 2_problem_3_sample_0"

# of WHAT CANDIDATE...: the same evaluation, said to be of these candidates.
of() {
	echo "$1:"
	shift
	make_parents "$@" && test ! -e other ||
		printf y >run/level_1_problem_2_sample_0_kernel.py
	submission=$(kb-pack submission run) &&
	if test -e absent
	then mv "archives/$submission" gone
	fi
	cp -R "archives/$evaluation" bent && chmod -R u+w bent &&
	sed -i "s/$usual/$submission/" bent/data/manifest.json &&
	(cd bent && sha256sum data/* >manifest-sha256.txt) &&
	kb-score bent "$baseline" 2>&1 >out | sed 's/[0-9a-f]\{64\}/<id>/'
	grep -c geomean out
	rm -r bent
}
of 'the same' $all
of 'one more of a problem' $all 1_problem_1_sample_2
of 'one that is called missing' $all 2_problem_4_sample_0
of 'one of a problem that was not selected' $all 1_problem_3_sample_0
of 'one less' ${all%2_problem_3_sample_0}
>other
of 'another file' $all
rm other
>absent
of 'one less, in a store that lacks them' ${all%2_problem_3_sample_0}
