# Two verdicts on each sample, of a suite and of one that is derived from it;
# "-" where a problem has no other sizes. What does not go together is refused.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
mkdir -p p/level1 p/level2
for problem in 1/1_Square 1/2_Standard 1/3_Batched 1/4_Vector 1/19_ReLU \
	2/3_Conv 2/4_Mish
do echo 'n = 64' >"p/level$problem.py"
done
KB_TEST_PROBLEMS=p
make_pair cpu
echo '{"1/1": {"n": 67}, "1/19": {"n": 67}, "2/4": {"n": 67}}' >odd.json
odd=$(kb-pack suite $suite --sizes odd.json)

# on SUITE [SED]: the evaluation as it would be on that suite, as $id.
on() {
	cp -R archives/$evaluation e.bag && chmod -R u+w e.bag &&
	sed -i "s/$suite/$1/
s/\"problems\":\[[^]]*\]/\"problems\":[\"1\/1\",\"1\/19\",\"2\/4\"]/
s/\"correct\":4/\"correct\":2/;$2" e.bag/data/manifest.json &&
	sed -i '/"key":"1\/2"/d;/"key":"2\/3"/d' e.bag/data/results.jsonl &&
	put e.bag
}
on $odd && unseen=$id
kb-pack export unseen-sizes $evaluation $unseen
refused() {
	kb-pack export unseen-sizes "$@" 2>&1 >out | head -n 1
	test ! -s out || echo out
}
refused $evaluation
refused $evaluation $unseen $unseen
refused $unseen $evaluation
refused $unseen $unseen
refused $evaluation $suite | sed "s/$suite/suite/"
refused nosuch $unseen
on $odd "s/$submission/$suite/" && refused $evaluation $id
mv archives/$odd o.bag && refused $evaluation $unseen | sed "s/$odd/odd/g"
