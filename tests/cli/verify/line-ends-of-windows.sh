# A bundle that was in git, as core.autocrlf=true makes it: all files are text.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
mv archives/$id e.bag
find e.bag -type f -exec sed -i 's/$/\r/' {} +
kb-verify e.bag
