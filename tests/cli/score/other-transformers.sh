# One of the problems is a model of transformers.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_package_suite 'from transformers import AutoModelForCausalLM'
make_package_bags eager 3.6.0 5.2.0
kb-score $evaluation $baseline
