# The same bytes, from another directory, of an archive, under another name.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
SOURCE_DATE_EPOCH=1800000000
export SOURCE_DATE_EPOCH
kb-pack publish $score -o first.tar.gz >/dev/null
kb-pack archive $score -o score.tar.gz >/dev/null
mkdir elsewhere && cd elsewhere
kb-pack publish --store ../archives ../score.tar.gz $score -o second >/dev/null
cmp second ../first.tar.gz && ls
tar -xzOf second kb-$(echo $score | cut -c 1-16)/CITATION.cff | grep date
tar -tvzf second | awk '{ print $1, $2, $4, $5 }' | sort -u
# Typed again without its licence, the same name would stand for less.
cd ..
kb-pack publish $score --license MIT >/dev/null
kb-pack publish $score --license MIT >/dev/null
kb-pack publish $score 2>&1 >/dev/null | sed 's/kb-[0-9a-f]*/kb-ID/'
