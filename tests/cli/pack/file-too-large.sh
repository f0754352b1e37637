# Where files may not be larger it is told, and nothing half-written is left.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
mkdir out
(ulimit -f 1 && exec kb-pack archive $id -o out/a.tar.gz) 2>&1 |
	sed "s/$id/ID/"
ls -A out
