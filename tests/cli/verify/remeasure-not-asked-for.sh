# Each of them says nothing without it.
for option in '--sample-size 3' '--sample-seed 0' '--allow-mismatch cpu.model' \
	'--device cpu' '--python python3' '--cc cc' '--nvcc nvcc' '--weights .' \
	'--salt-file salt'
do
	kb-verify $option some.bag
	echo $?
done
