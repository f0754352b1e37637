# Its form is told by its version, and it is verified as any.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline-v1
kb-verify -v archives/$id | sed 's/[0-9a-f]\{64\}/ID/g'
forge() {
	rm -rf b.bag
	cp -R archives/$id b.bag
	chmod -R u+w b.bag
	sed -i "$2" b.bag/data/$1
	(cd b.bag && sha256sum data/* >manifest-sha256.txt)
	kb-verify b.bag | grep ': no: '
}
forge results.jsonl '1s/"call_time_ns":100000/"call_time_ns":100001/'
forge manifest.json 's/"schema_version":1/"schema_version":2/'
