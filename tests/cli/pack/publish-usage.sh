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
SOURCE_DATE_EPOCH=yesterday refused $baseline
SOURCE_DATE_EPOCH= refused $baseline
refused nosuch
refused archives/nosuch.tar.gz
ls
