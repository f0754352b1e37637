# The slope where runs of one call say otherwise.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_cuda_bags
mv archives/$evaluation e.bag
sed -i '2s/"time_ns":81600/"time_ns":50000/' e.bag/data/results.jsonl
(cd e.bag && sha256sum data/* >manifest-sha256.txt)
kb-score e.bag $baseline --clock device
