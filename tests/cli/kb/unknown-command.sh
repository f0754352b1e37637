# The nearest is told where there is one: a letter off, two swapped, too many.
for word in evla baselines verfy hlep pac zzz ../kb-eval ''
do kb "$word" x --help 2>&1 >/dev/null | head -n 1
done
kb evla --help 2>/dev/null
