# A score that was made with its suite, no problem of which needs transformers,
# is not refused where the suite is not: nobody can ask it.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_package_suite 'import torch'
make_package_bags eager 3.6.0 5.2.0
score=$(kb-score $evaluation $baseline | tail -n 1)
kb-verify -v $score | grep -E ': (suite|match_keys): ' | sed 's/[0-9a-f]\{64\}/the id/g'
mv archives/$suite .
kb-verify -v $score | grep -E ': (suite|match_keys): ' | sed 's/[0-9a-f]\{64\}/the id/g'
