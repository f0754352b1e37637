. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bag audit
for what in suite other
do
	folder=$KB_SRC/tests/cli/eval/fixture/suite
	test $what = suite || { cp -R "$folder" other && rm other/level1/1_*; folder=other; }
	parent=$(kb-pack suite --name s "$folder" 2>/dev/null | tail -n 1)
	cp -R "archives/$id" $what.bag && chmod -R u+w $what.bag
	sed -i "s/\(5151\)\{16\}/$parent/" $what.bag/data/manifest.json
	(cd $what.bag && sha256sum data/* >manifest-sha256.txt)
done
kb-audit again --verdicts verdicts suite.bag other.bag >said
status=$?
test ! -e verdicts && echo "no verdicts are written"
exit $status
