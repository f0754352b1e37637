. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
kb-pack publish $baseline -o no/such/folder.tar.gz 2>&1
status=$?
kb-pack publish $baseline -o archives 2>why
echo $?
cat why
ls
exit $status
