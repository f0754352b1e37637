# Two turns without code, so that nothing is evaluated; and an answer that comes
# when its turn is over.
. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask --samples 2 --turns 3 --feedback status --budget-tokens 220 \
	--price-input 1 --price-output 2
answers '"I cannot."' >a.jsonl
grep -v p2-s1 a.jsonl >some.jsonl
kb-generate take some.jsonl; echo $?
kb-generate tell
kb-generate take a.jsonl; echo $?
sed 's/.*"messages":/"messages":/; s/,"seed.*//' generation/requests-0001.jsonl
answers '"I cannot, again."' >b.jsonl
kb-generate take b.jsonl; echo $?
kb-generate tell | mask; echo $?
kb-generate tell | mask
generation=$(grep -l '"kind":"generation","' archives/*/data/manifest.json)
kb-pack export turns "${generation%/data/manifest.json}"
kb-verify "${generation%/data/manifest.json}" | mask
