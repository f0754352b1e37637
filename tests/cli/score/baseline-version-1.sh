# Its times would be of another kind: nothing is divided by them.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation && evaluation=$id
cp -R "$KB_SRC/tests/cli/score/fixture/baseline" archives/new
sed -i 's/"schema_version":2/"schema_version":1/' archives/new/data/manifest.json
seal_bag
kb-score $evaluation $id 2>all
status=$?
sed 's/[0-9a-f]\{64\}/ID/g' all >&2
exit $status
