. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask --temperature 0.5 >/dev/null
ask --temperature 0.6
echo "status $?"
echo >>s/level1/1_One.c
ask --temperature 0.5
echo "status $?"
sed -i s/Write/Draw/ p.jsonl
kb-generate ask s/../s m --prompts p.jsonl --backend native-c -d other
