. "$KB_SRC/tests/cli/pack/fixture/several-scores"
make_pair cpu
by_model 'gpt_4' && score a && score b --sample-id 1
by_model llama-3.1 && score c
export_of latex a b c
