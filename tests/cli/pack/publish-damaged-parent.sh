. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
chmod u+w archives/$suite/data/problems/level1 archives/$suite/data/problems/level1/19_ReLU.py
echo y >archives/$suite/data/problems/level1/19_ReLU.py
kb-pack publish $baseline -o x.tar.gz
status=$?
ls
exit $status
