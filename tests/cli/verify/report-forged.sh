# A number that the files do not give, in a bundle that is whole.
printf '{"1": {"compiled": true, "correctness": false, "runtime": -1}}' >r.json
id=$(kb-pack report --level 1 r.json | tail -n 1)
chmod -R u+w archives/$id
cd archives/$id
sed -i 's/"correct":0/"correct":1/' data/manifest.json
sha256sum data/* >manifest-sha256.txt
forged=$(sha256sum <manifest-sha256.txt)
forged=${forged%% *}
cd ../..
mv archives/$id archives/$forged
kb-verify $forged >out
status=$?
sed "s/$forged/the id/g" out
exit $status
