. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
refused() {
	kb-pack publish "$@" -o x.tar.gz 2>why
	echo $? "$(head -n 1 why)"
}
refused
refused $baseline --license 'none at all'
refused $baseline --author 'Ada Lovelace' --orcid 0000-0002-1825-0098
refused $baseline --orcid 0000-0002-1825-0097
refused $baseline --title ''
refused $baseline --date yesterday
for day in 2026-02-30 2026-02-29 1900-02-29 2026-04-31 0000-01-01
do refused $baseline --date $day
done
SOURCE_DATE_EPOCH=yesterday refused $baseline
refused nosuch
refused archives/nosuch.tar.gz
ls
