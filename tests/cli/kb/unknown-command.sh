# The nearest is told where there is one: a letter off, two swapped, too many.
for word in evla baselines verfy hlep pac zzz ../kb-eval ''
do kb "$word" x --help 2>&1 >/dev/null | head -n 1
done
# What another program does is told by its name, of every program that has verbs.
kb export 2>&1 | head -n 1
for program in pack generate report
do
	kb-$program --help | sed -n "s/^\(usage:\|      \) kb-$program \([a-z]*\) .*/\2/p"
done | while read -r verb
do
	case $verb in
	run | report) ;;	# kb's own, and a program
	*) kb $verb 2>&1 | head -n 1 | sed "s/'kb [a-z]* /'kb PROGRAM /" |
		grep -v "^kb: unknown command '$verb': type 'kb PROGRAM $verb'$" ;;
	esac
done
kb evla --help 2>/dev/null
