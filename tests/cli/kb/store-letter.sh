# -o is where a file goes, and no program's store.
for program in 'audit' 'audit again' 'baseline' 'eval' 'generate ask' 'generate run' \
	'generate take' 'name' 'pack report' 'pack submission' 'pack suite' \
	'pack unpack' 'run' 'score' 'sign' 'verify'
do kb $program -o x 2>&1 | head -n 1
done
