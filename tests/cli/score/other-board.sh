# Times of two boards may be divided, but not without a word; of one board there
# is nothing to say.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
board_bag() {
	mkdir -p archives &&
	cp -R "$KB_SRC/tests/cli/score/fixture/$1" archives/new &&
	sed -i 's/"gpu":{/&"board_part_number":"'"$2"'",/' \
		archives/new/data/manifest.json &&
	seal_bag
}
board_bag evaluation-cuda '692\\u001b-001' && evaluation=$id
for board in 692-000 '692\\u001b-001'
do
	board_bag baseline-cuda "$board" && kb-score $evaluation $id >out || exit
done
