# What took longest in an earlier one is done first; without one, in order.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p other/level1
cp "$suite/level1/2_Largest.c" other/level1/1_Largest.c
cp "$fixture/slow/suite/level1/1_Slow.c" other/level1/2_Slow.c
cp "$suite/level1/2_Largest.c" other/level1/3_Largest.c
order() {
	sed -n 's/.*"event":"reference".*"key":"\([0-9/]*\)".*/\1/p' "$1" |
		head -n "$2"
}
tell kb-baseline other $sure --events first 2>&1 || exit
order first 3
echo 'and again'
tell kb-baseline other $quick --baseline $id --events then \
	>/dev/null 2>&1 || exit
order then 1
