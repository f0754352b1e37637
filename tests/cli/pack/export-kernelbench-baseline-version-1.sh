# Alone, its times are what they were.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
kb-pack export kernelbench-baseline $baseline >now
rename baseline-v1 "s/\(51\)\{32\}/$suite/" \
	's/Fixture 3000/& (64-Core)/g' 's/"2\.5\.0"/"2.9.0"/g'
kb-pack export kernelbench-baseline $id | diff now - && echo the same
