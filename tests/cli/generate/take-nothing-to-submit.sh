. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask >/dev/null
echo '{}' >a.jsonl
kb-generate take a.jsonl
echo "status $?"
ls archives | wc -l
