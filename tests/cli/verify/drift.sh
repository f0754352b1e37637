# What is odd and no more is a note, and the answer is yes.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation-cuda
mv archives/$id e.bag
sed -i 's/"control_before_ns":100300/"control_before_ns":105000/; s/"repeated":0/"repeated":2/' \
	e.bag/data/results.jsonl
(cd e.bag && sha256sum data/* >manifest-sha256.txt)
kb-verify -v e.bag | grep ": note"
