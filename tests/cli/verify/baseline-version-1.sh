# No version is read but the one that is written.
cp -R "$KB_SRC/tests/cli/score/fixture/baseline" b.bag
sed -i 's/"schema_version":2/"schema_version":1/' b.bag/data/manifest.json
printf '%s\n' 'BagIt-Version: 1.0' 'Tag-File-Character-Encoding: UTF-8' \
	>b.bag/bagit.txt
(cd b.bag && sha256sum data/* >manifest-sha256.txt)
kb-verify b.bag >out
status=$?
sed '1s/[0-9a-f]\{64\}/ID/' out
exit $status
