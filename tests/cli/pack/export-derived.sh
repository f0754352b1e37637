# What KernelBench keys by problem is not made of a suite that is derived from
# another: there the keys are other problems.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
mkdir -p p/level1 p/level2
for problem in 1/1_Square 1/2_Standard 1/3_Batched 1/4_Vector 1/19_ReLU \
	2/3_Conv 2/4_Mish
do echo 'n = 64' >"p/level$problem.py"
done
KB_TEST_PROBLEMS=p
make_pair cpu

# of SUITE BUNDLE: the bundle as if it were made of that suite, as $id.
of() {
	cp -R "archives/$2" c.bag && chmod -R u+w c.bag &&
	sed -i "s/$suite/$1/" c.bag/data/manifest.json && put c.bag
}

# refused FORMAT BUNDLE [OPTION...]
refused() {
	kb-pack export "$@" -o out 2>&1 | sed "s/$id/ID/"
	kb-pack export "$@" >out.txt 2>/dev/null
	echo $?
	test ! -s out.txt || echo out.txt
}

echo '{"1/1": {"n": 67}, "1/19": {"n": 67}, "2/4": {"n": 67}}' >odd.json
odd=$(kb-pack suite $suite --sizes odd.json)
of $odd $evaluation
for format in kernelbench-eval kernelbench-runs kernelbench-pass-at-k
do refused $format $id
done
refused kernelbench-eval $id --baseline $baseline
of $odd $baseline
refused kernelbench-baseline $id

# Whether it is derived has to be known.
rm -r archives/$odd
of $odd $evaluation
refused kernelbench-eval $id | sed "s/$odd/odd/"
test ! -e out || echo out
