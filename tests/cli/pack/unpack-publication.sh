# An archive of ours that holds a store, not a bundle.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
kb-score $evaluation $baseline >out
kb-pack publish $(tail -n 1 out) --date 2026-11-21 -o p.tar.gz >out
kb-pack unpack p.tar.gz 2>why
echo $? "$(sed "s/kb-[0-9a-f]\{16\}/the folder/" why)"
