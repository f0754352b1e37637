# The other program has every argument, prints, and gives the status.
for arguments in '--help' '--version' 'suite --help' 'nosuch'
do
	kb pack $arguments >a 2>a.err; a=$?
	kb-pack $arguments >b 2>b.err; b=$?
	cmp a b && cmp a.err b.err && echo "$arguments: $a $b"
done
kb-eval --help >b.help
kb help eval | cmp - b.help && echo help
kb --help >c
kb help | cmp - c && echo help of itself
