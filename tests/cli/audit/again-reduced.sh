. "$KB_SRC/tests/cli/score/fixture/make-bags"
suite=$(kb-pack suite --name s "$KB_SRC/tests/cli/eval/fixture/suite" | tail -n 1)
make_bag audit
cp -R "archives/$id" reduced.bag && chmod -R u+w reduced.bag
sed -i "s/\(5151\)\{16\}/$suite/" reduced.bag/data/manifest.json
sed -i '1s/"reduced":null/"reduced":{"n":"4"}/' reduced.bag/data/results.jsonl
(cd reduced.bag && sha256sum data/* >manifest-sha256.txt)
kb-audit again reduced.bag | tail -n 3 | sed 's/[0-9a-f]\{64\}/the id/'
kb-audit again --verdicts verdicts reduced.bag
