# What is not seen, or reverses a line, is replaced wherever a name is shown.
KB_TEST_MODEL=$(printf 'gpt\342\200\256-\342\200\213x')
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
kb-score $evaluation $baseline | grep -F 'gpt?-?x'
kb-pack export markdown @last:score | grep -oF 'gpt?-?x'
kb-report -t @last:score | grep -oF 'gpt?-?x'
