. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline-cuda
kb-generate ask s m --backend native-c --prompt zero_shot --baseline "$id" \
	--problems 1/1
grep -o '"hardware":"[0-9a-f]*"' generation/generation.json | mask
sed 's/.*"content":"\(.*\)","role.*/\1/; s/\\n/\n/g' generation/requests-0001.jsonl |
	sed -n '/^The machine/,/^The reference/p'
