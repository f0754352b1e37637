. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
try() {
	ask "$@" 2>&1 | grep -v '^usage\|^   '
}
try --turns 0
try --turns 101
try --goal correct
try --turns 1 --history all
try --budget-tokens 5
try --turns 2 --goal fast
try --turns 2 --goal 0x
try --turns 2 --feedback log,profiles
try --turns 2 --feedback log,profile
try --turns 2 --history none
try --turns 2 --budget-cost 1
try --turns 2 --budget-cost free --price-input 1 --price-output 1
try --turns 2 --against nosuch
