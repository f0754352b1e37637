. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline
kb-report $id archives/$id 2>&1 | sed 's/[0-9a-f]\{64\}/ID/'
