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
try kb-generate ask s m --gpu H100
try ask --temperature hot
try ask --top-p -1
try ask --body '[]'
try ask --body '{"n":2}'
try ask --temperature 1 --body '{"temperature":2}'
try ask --body '{"a":1'
try ask --price-input 1
try ask --price-input 1 --price-output a
try ask --problems 1/3
try kb-generate ask s m --precision fp64
try kb-generate ask s m --prompt two_shot
try kb-generate ask s m --backend thunderkittens
try kb-generate ask s m
try kb-generate ask s m --backend native-c --system "$(printf '\377')"
for option in 'prompt few_shot' 'precision fp16' \
	'baseline b' 'system s'
do try ask --${option% *} ${option#* }
done
head -n 1 p.jsonl >one.jsonl
try kb-generate ask s m --prompts one.jsonl --backend native-c
try kb-generate ask s m --prompts one.jsonl
try kb-generate ask s m --prompts no.jsonl --backend native-c
try kb-generate ask s m --prompts s/level1/1_One.c --backend native-c
try kb-generate run
try kb-generate run -- --device cpu
try kb-generate run --server unix:/run/llm.sock
try kb-generate take
try kb-generate take nothing.jsonl
ls
