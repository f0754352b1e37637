# Twelve digits, kind and name; whole ids in a pipe and with --porcelain.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
kb name first $baseline
kb name second $evaluation
export TERM=dumb
on_terminal() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r' | tail -n 1
}
mask() {
	sed "s/[0-9a-f]\{64\}/WHOLE/; s/ [0-9a-f]\{12\} / TWELVE /; s/ [0-9a-f]\{12\}$/ TWELVE/; s/^[0-9a-f]\{12\} /TWELVE /"
}
on_terminal 'kb score second first' | mask
on_terminal 'kb score second first --name mine' | mask
on_terminal 'kb score second first --name mine --porcelain' | mask
kb score second first --name mine | tail -n 1 | mask
on_terminal 'COLUMNS=200 kb verify mine' | mask
# Eighty columns of it, where the terminal does not say how many it has.
on_terminal 'kb verify mine' | mask
# Colours, unless somebody has said no.
COLUMNS=200 TERM=xterm on_terminal 'kb verify mine' | mask | tr '\033' '^'
NO_COLOR=1 COLUMNS=200 TERM=xterm on_terminal 'kb verify mine' | mask
CLICOLOR_FORCE=1 kb verify mine | mask | tr '\033' '^'
COLUMNS=60 kb verify mine | mask
on_terminal 'kb name' | mask
