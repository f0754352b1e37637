# What was an option: each is refused with what to write now.
for option in --suite --suite=x -s -sx -o
do
	kb-audit $option x 2>&1 | head -n 1
	kb-audit again $option x 2>&1 | head -n 1
done
