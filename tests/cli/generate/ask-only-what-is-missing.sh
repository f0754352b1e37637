. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask --samples 2 >/dev/null
{
	answer 2-1 "$code"
	printf '{"custom_id":"%s","response":null,"error":"late"}\n' "$(id 1-0)"
} >a.jsonl
kb-generate take a.jsonl >/dev/null
echo "status $?"
ask --samples 2
sed 's/,"method".*//' generation/requests-0001.jsonl
