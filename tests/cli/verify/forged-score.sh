# A better result, in a bag whose digests are right.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
cp -R archives/$score forged.bag && chmod -R u+w forged.bag
sed -i 's/"geomean_speedup_micro":1414214/"geomean_speedup_micro":1514214/g' forged.bag/data/manifest.json
(cd forged.bag && sha256sum data/* >manifest-sha256.txt)
kb-verify forged.bag >out
status=$?
sed '1s/[0-9a-f]\{64\}/the id/' out
exit $status
