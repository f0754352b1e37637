# A finding less, in a bag whose digests are right.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag audit
cp -R archives/$id forged.bag && chmod -R u+w forged.bag
sed -i '1s/{[^{]*"finding":"removable"},//' forged.bag/data/results.jsonl
(cd forged.bag && sha256sum data/* >manifest-sha256.txt)
kb-verify forged.bag >out
status=$?
sed '1s/[0-9a-f]\{64\}/the id/' out
exit $status
