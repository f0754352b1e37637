. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
try() {
	"$@" 2>&1 | grep -v '^usage\|^   ' | mask
}
try kb-generate tell
ask >/dev/null 2>&1
try kb-generate tell
rm -r generation
ask --turns 2 >/dev/null 2>&1
try kb-generate tell
answers "$code" >a.jsonl
kb-generate take a.jsonl 2>&1 | mask
try kb-generate tell
try kb-generate tell nosuch
suite=$(grep -l '"kind":"suite"' archives/*/data/manifest.json)
try kb-generate tell "${suite%/data/manifest.json}"
