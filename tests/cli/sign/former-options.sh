# What was an option: each is refused with what to write now.
for option in --key --key=x -k -kx -o
do kb-sign $option x 2>&1 | head -n 1
done
