. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
mv archives/$id e.bag
sed -i 's/"schema_version":2/"schema_version":3/' e.bag/data/manifest.json
(cd e.bag && sha256sum data/* >manifest-sha256.txt)
kb-verify e.bag >out
status=$?
sed '1s/[0-9a-f]\{64\}/the id/' out
exit $status
