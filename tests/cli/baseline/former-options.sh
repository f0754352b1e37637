# What was an option: each is refused with what to write now.
for option in --suite --suite=x -s -sx --share --seed -o
do kb-baseline $option x 2>&1 | head -n 1
done
