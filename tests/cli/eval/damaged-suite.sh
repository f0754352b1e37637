. "$KB_SRC/tests/cli/eval/fixture/lib"
id=$(kb-pack suite "$suite")
chmod -R u+w archives/$id
printf X | dd of=archives/$id/data/problems/level1/1_Double.c conv=notrunc \
	status=none
tell kb-eval "$id" "$submission"
