# Audits that were made before: tables and verdicts by what their evidence says
# now. One is as an earlier version could have judged it: a finding less.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
suite=$(kb-pack suite --name s "$KB_SRC/tests/cli/eval/fixture/suite" | tail -n 1)
make_bag audit
cp -R "archives/$id" one.bag && chmod -R u+w one.bag
sed -i "s/\(5151\)\{16\}/$suite/" one.bag/data/manifest.json
cp -R one.bag two.bag
sed -i '1s/{[^{]*"finding":"removable"},//' two.bag/data/results.jsonl
for bag in one.bag two.bag
do (cd $bag && sha256sum data/* >manifest-sha256.txt)
done
kb-verify -v one.bag two.bag | grep ": findings: "
kb-audit again --evidence --verdicts verdicts one.bag two.bag >said || exit
cat said verdicts | sed 's/[0-9a-f]\{64\}/the id/'
mkfifo fifo
timeout 60 cat fifo >from-fifo &
kb-audit again --verdicts fifo one.bag two.bag >/dev/null
wait
cmp verdicts from-fifo && stat -c %F fifo
