. "$KB_SRC/tests/cli/eval/fixture/lib"
id=$(kb-eval "$suite" "$submission" $quick -p 1/2 --store elsewhere \
	2>/dev/null | tail -n 1)
cd "elsewhere/$id" && sha256sum -c --quiet manifest-sha256.txt &&
wc -l <data/results.jsonl
