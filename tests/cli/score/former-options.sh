# What was an option: each is refused with what to write now.
for option in --evaluation --evaluation=x -e -ex --baseline -b --sample --sample=1 -s -o
do kb-score $option x 2>&1 | head -n 1
done
