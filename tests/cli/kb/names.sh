# What is made can be called by the name that it was given, as the last one,
# and by the beginning of its id; each wherever a bundle is wanted.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
mask() {
	sed "s/$evaluation/EVALUATION/; s/$baseline/BASELINE/
		s/[0-9a-f]\{64\}/ID/"
}
kb name first $baseline
kb name second $(echo $evaluation | cut -c 1-8)
kb score second first --name mine >said
tail -n 1 said | mask
for operand in mine @last @last:score "$(tail -n 1 said | cut -c 1-8)"
do kb verify "$operand" | cut -d ' ' -f 1-5 | mask
done
kb pack archive mine -o x.tar.gz
kb name | mask
kb name second | mask
# A name may be moved, which is told, and deleted; the bundle stays.
kb name mine first 2>&1 | mask
kb verify mine | cut -d ' ' -f 1-5 | mask
kb name --delete mine
kb verify mine
echo $?
kb verify @last:suite
# Options may stand anywhere; names are of one store.
kb name mine $baseline --store archives
kb name --store elsewhere
kb name mine $baseline --store elsewhere 2>&1 | mask
