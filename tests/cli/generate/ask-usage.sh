. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
try() {
	"$@" 2>&1 | sed '/^usage:/d; /^  *kb-generate/d'
}
try kb-generate ask
try kb-generate ask s
try kb-generate ask s ''
try kb-generate ask s --model m
try kb-generate ask s m --backend fortran
try ask --gpu H100
try ask --kernelbench .
try ask --temperature hot
try ask --top-p -1
try ask --body '[]'
try ask --body '{"n":2}'
try ask --temperature 1 --body '{"temperature":2}'
try ask --body '{"a":1'
try ask --price-input 1
try ask --price-input 1 --price-output a
try ask --problems 1/3
try ask --precision fp64
try ask --custom-prompt mine
try kb-generate ask s m --prompts p.toml --prompt two_shot
try kb-generate ask s m --prompts p.toml --prompt zero_shot --backend hip
try kb-generate ask s m --prompts p.toml --prompt zero_shot
try ask --system "$(printf '\377')"
try kb-generate run
try kb-generate run -- --device cpu
try kb-generate run --server unix:/run/llm.sock
try kb-generate take
try kb-generate take nothing.jsonl
ls
