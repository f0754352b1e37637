# What was an option, or is one of kb-eval: each is refused with what to write.
for option in --suite --suite=x -s -sx -o --seeds
do
	kb-audit $option x 2>&1 | head -n 1
	kb-audit again $option x 2>&1 | head -n 1
done
