# What there is nothing of.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb name mine $baseline
try() {
	kb show "$@" 2>&1 | head -n 1
}
try
try nosuch
try mine 1/99
try mine 1/1 0
try mine 1
try $evaluation 1/1 7
try $evaluation 1/1 x
try $evaluation 1/1 -1
try $evaluation 1/1 0 0
kb ls extra 2>&1 | head -n 1
# No store has nothing; a bundle that is bent is told of, and the rest listed.
kb ls --store nosuch
echo '{}' >archives/$evaluation/data/manifest.json
kb ls | sed 's/[0-9a-f]\{64\}/ID/; s/^[0-9a-f]\{8\}/ID/'
