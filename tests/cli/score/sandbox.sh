# A score of candidates that nothing confined says so, and so does one of what
# was confined by all that there is.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline && baseline=$id || exit
for mode in off strict
do
	mkdir -p archives &&
		cp -R "$KB_SRC/tests/cli/score/fixture/evaluation" archives/new &&
		chmod -R u+w archives/new &&
		sed -i -e "s/\"run_timeout_ns\":[0-9]*/&,\"sandbox\":\"$mode\"/" \
			-e "s/\"seed\":\"/\"sandbox\":\"$mode\",&/" \
			archives/new/data/manifest.json &&
		seal_bag || exit
	kb-score $id $baseline >said || exit
	grep ^sandbox said
	score=$(tail -n 1 said)
	grep -o '"sandbox":"[a-z]*"' "archives/$score/data/manifest.json"
	kb-verify $score | cut -d ' ' -f 1
done
