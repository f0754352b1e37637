# What is called like one, and is none, does not go out under our name.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
name=$baseline.$suite.dsse.json
echo '{}' >archives/$name
kb-pack publish $baseline -o x.tar.gz 2>why
status=$?
sed "s/$baseline/the id/g; s/$suite/the key/" why
ls
exit $status
