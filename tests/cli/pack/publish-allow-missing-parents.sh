# A parent of a parent, and one of the score's own.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
mv archives/$submission gone
folder=kb-$(echo $score | cut -c 1-16)
kb-pack publish $score -o x.tar.gz --allow-missing-parents >/dev/null
tar -xzf x.tar.gz
sed -n '/^Not here/,/^## /p' $folder/README.md
grep -A 5 '"#missing-.*",$' $folder/ro-crate-metadata.json
mv archives/$baseline gone2
kb-pack publish $score -o y.tar.gz --allow-missing-parents >/dev/null
tar -xzOf y.tar.gz $folder/README.md | sed -n '/^## Score/,/^Folders/p' |
	sed "s/$(echo $score | cut -c 1-16)/the score/"
