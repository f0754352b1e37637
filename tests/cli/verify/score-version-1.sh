# Of its form there are none that could be made again.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
mkdir first.bag
cp -R "$KB_SRC/tests/cli/score/fixture/score-first/data" first.bag
chmod -R u+w first.bag
sed -i -e "s/EVALUATION/$evaluation/" -e "s/BASELINE/$baseline/" \
	first.bag/data/manifest.json
printf '%s\n' 'BagIt-Version: 1.0' 'Tag-File-Character-Encoding: UTF-8' \
	>first.bag/bagit.txt
(cd first.bag && sha256sum data/* >manifest-sha256.txt)
kb-verify first.bag | grep record
