. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask --samples 2 --price-input 2.5 --price-output 10 >/dev/null
{
	answer 2-1 '"I cannot."'
	answer 1-0 "$code"
} >a.jsonl
{
	answer 2-0 '"```c\nint y"' length
	answer 1-1 '"A plan:\n```\n1.\n```\nso:\n```c\nint z;\n```\n"'
} >b.jsonl
kb-generate take b.jsonl a.jsonl --run-name r --organization o | mask
for kind in suite generation submission
do
	record=$(grep -l "\"kind\":\"$kind\",\"[mn]" archives/*/data/manifest.json)
	bundle=${record%/data/manifest.json}
	echo
	cat $record
	echo
	(cd $bundle && grep . data/candidates/*/*/* 2>/dev/null)
	kb-verify -v $bundle
done | mask
