# Whatever a server or a disk makes of an answer, the others are taken.
. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask --samples 6 >/dev/null
{
	answer 1-0 "$code"
	answer 1-0 "$code"
	answer 1-0 '"another"'
	printf '\n<html>\n{"custom_id":"l9-p1-s0-t1-0123456789abcdef"}\n'
	printf '{"custom_id":"../../etc/passwd"}\n{}\n'
	answer 1-1 "$code" | sed 's/\(-t1-\)....../\1000000/'
	answer 1-2 "$code" | tr x '\377'
	answer 1-2 "$code" | tr x '\0'
	answer 1-2 "$code" | cut -c 1-90
	answer 1-3 null | sed 's/"content"/"reasoning":"hm","content"/'
	answer 1-4 null | sed 's/"content"/"reasoning_content":"hm","content"/'
	answer 1-5 '[{"type":"text","text":"```c\nint p;\n```"}]'
	printf '{"custom_id":"%s","response":{"status_code":500,"body":{"error":{"message":"no memory"}}},"error":null}\r\n' "$(id 2-0)"
	printf '{"custom_id":"%s","response":null,"error":{"code":"batch_expired","message":"late"}}\n' "$(id 2-1)"
	answer 2-2 "$(printf '"%*s``c\\nint long;\\n``"' 10000000 '')"
	answer 2-3 "$code" | sed 's/\("choices":\[\)/\1{"message":{"content":"first"}},/'
	answer 2-4 "$code" | tr -d '\n'
} >a.jsonl
kb-generate take a.jsonl >out
echo "status $?"
mask <out
results=$(grep -l '"kind":"generation","model"' archives/*/data/manifest.json)
results=${results%manifest.json}results.jsonl
sed -n 's/.*"key":"\([^"]*\)".*"message":\("[^"]*"\|null\).*"outcome":"\([a-z_]*\)".*"sample_id":\([0-9]*\).*/\1 \4 \3 \2/p' "$results"
answer 2-0 "$code" >b.jsonl
kb-generate take b.jsonl | head -n 3
