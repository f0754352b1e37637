. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask --samples 3 --file-requests 4
wc -l generation/requests-*.jsonl
ask --samples 3
ls generation
