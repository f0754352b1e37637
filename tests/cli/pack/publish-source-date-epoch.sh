# 1980, as shells of Nix have it, is told; what is set and empty is not set.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
for epoch in 315532800 4000000000 ''
do
	SOURCE_DATE_EPOCH=$epoch kb-pack publish $baseline --license MIT -o x.tar.gz >said &&
	tar -xOzf x.tar.gz --wildcards '*/CITATION.cff' >citation
	sed -n 's/^date-released: //p' citation | sed '/^1980-01-01$/b
		/^2096-10-02$/b
		s/.*/today/'
done
