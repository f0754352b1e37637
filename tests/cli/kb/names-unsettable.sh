# Where the store takes no names the bundle is made, and its id is printed; a
# name that was asked for is missed, too. No name of a file has a colon.
. "$KB_SRC/tests/cli/eval/fixture/lib"
kb pack submission "$submission" >id
find archives -name '*:*'
ls archives/.names
rm -r archives/.names && : >archives/.names
for name in '' '--name mine'
do
	kb pack submission "$submission" $name | cmp - id && echo same
	kb pack submission "$submission" $name >/dev/null 2>&1
	echo "status $?"
done
