# What was called otherwise: each is refused with what to write now.
for option in --sample --sample=1 -o
do kb-verify --remeasure $option 1 some.bag 2>&1 | head -n 1
done
