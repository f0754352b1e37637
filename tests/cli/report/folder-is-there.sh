# What is in it stays.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag baseline
mkdir mine && echo precious >mine/index.html
kb-report -o mine $id
echo "exit $?" && cat mine/index.html && ls -A mine
