# An archive that GNU tar made of the folder: refused, and what to do instead.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
kb-pack archive $id -o a.tar.gz >name
tar -xf a.tar.gz && tar -czf again.tar.gz $id && cp a.tar.gz two.tar.gz &&
	cat a.tar.gz >>two.tar.gz
gzip -dc a.tar.gz >plain.tar.gz
for archive in again two plain
do
	kb-pack unpack --store s $archive.tar.gz
	echo "status $?"
	rm -rf $id && tar -xf $archive.tar.gz && kb-verify $id | cut -c 1-3
done 2>&1
