# What a bundle is and what to do next; one result; a list of the store.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_audited_bags ''
kb score $evaluation $baseline --name mine >said
score=$(tail -n 1 said)
# Of the same kind the one that was written last comes last.
touch -d 2026-01-02 archives/$evaluation archives/$baseline
mask() {
	sed "s/$(echo $suite | cut -c 1-8)[0-9a-f]*/SUITE/g
		s/$(echo $evaluation | cut -c 1-8)[0-9a-f]*/EVALUATION/g
		s/$(echo $baseline | cut -c 1-8)[0-9a-f]*/BASELINE/g
		s/$(echo $score | cut -c 1-8)[0-9a-f]*/SCORE/g"
}
kb ls | mask
for bundle in mine $evaluation $baseline @last:suite
do
	echo "== $bundle" | mask
	kb show $bundle | mask
done
echo '== one result, and all of a problem'
kb show $evaluation 1/19 0
kb show $evaluation 1/1
kb show mine 1/2
kb show $baseline 1/1
echo '== code'
kb show @last:suite 1/1
echo '== another store'
cp -R archives 'other store'
kb show --store 'other store' mine | sed -n '/Next/,$p' | mask
