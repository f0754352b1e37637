# A name that nobody has, and an evaluation that does not say.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags || exit
kb-score $evaluation $baseline --backend Triton
echo "exit status $?" >&2
kb-score $evaluation $baseline --backend triton
