# One that is there and not in order is not passed over.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
chmod -R u+w archives/$submission
printf x >>archives/$submission/data/manifest.json
kb-score $evaluation $baseline 2>why
status=$?
sed "s/$submission/the id/g" why >&2
exit $status
