# Numbers that do not follow are not printed.
printf '{"1": {"compiled": true, "correctness": false, "runtime": -1}}' >r.json
id=$(kb-pack report --level 1 r.json | tail -n 1)
cp -R archives/$id forged && chmod -R u+w forged && cd forged &&
sed -i 's/"correct":0/"correct":1/' data/manifest.json &&
sha256sum data/* >manifest-sha256.txt && cd .. || exit
kb-verify --table forged >out
status=$?
sed 's/[0-9a-f]\{64\}/the id/' out
exit $status
