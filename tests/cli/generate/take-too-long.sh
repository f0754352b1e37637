# A line of any length costs what one answer may, and no more.
. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask >/dev/null
{
	head -c 40000000 /dev/zero | tr '\0' x
	echo
	answer 1-0 "$code"
} >a.jsonl
kb-generate take a.jsonl | head -n 3
