. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_package_suite '# import transformers'
make_package_bags eager 3.6.0 5.2.0
kb-score $evaluation $baseline | sed -n '/^mode\|^mismatches/p'
