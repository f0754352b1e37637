# A baseline of another mode: the evaluation's references, which are eager, are
# no sign of drift, however far they are from it.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
cp -R "archives/$baseline" compiled.bag && chmod -R u+w compiled.bag
sed -i 's/"\(modes*\)":"eager"/"\1":"compile:default"/g' compiled.bag/data/*.json*
(cd compiled.bag && sha256sum data/* >manifest-sha256.txt)
kb-score "$evaluation" compiled.bag --candidates |
	grep "mode\|drift\|WARNING\|^[0-9]\{1,2\}/"
