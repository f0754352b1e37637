. "$KB_SRC/tests/cli/eval/fixture/lib"
id=$(kb-eval -s "$suite" -x "$submission" $quick -p 1/2 -o elsewhere \
	2>/dev/null | tail -n 1)
cd "elsewhere/$id" && sha256sum -c --quiet manifest-sha256.txt &&
wc -l <data/results.jsonl
