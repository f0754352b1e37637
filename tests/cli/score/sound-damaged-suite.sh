# A suite that is there and is not what it was is no reason to go on without.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags '' || exit
chmod -R u+w archives
echo >>archives/$suite/data/problems/level1/1_A.py
kb-score $evaluation $baseline 2>said
status=$?
sed 's/[0-9a-f]\{64\}/the id/g' said >&2
exit $status
