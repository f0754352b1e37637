. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask --samples 2 --seed 7 --temperature 0.70 --max-tokens 100 \
	--body '{"top_k": 20, "stop": ["a b"]}'
cat generation/requests-0001.jsonl
