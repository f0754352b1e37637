. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag evaluation
mv archives/$id e.bag
sed -i 's/"parents"/"parentz"/' e.bag/data/manifest.json
(cd e.bag && sha256sum data/* >manifest-sha256.txt)
kb-sign "$KB_SRC/tests/cli/sign/fixture/alice.pem" e.bag
