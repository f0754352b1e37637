. "$KB_SRC/tests/cli/eval/fixture/lib"
id=$(kb-pack submission "$submission")
tell kb-eval "$id" "$submission"
