# References that no compiler has seen do not depend on it. That it is allowed to
# differ is no typing mistake, and allows nothing.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
for mode in eager cudagraphs
do
	rm -rf archives
	make_package_bags $mode 3.7.0 5.1.0
	kb-score $evaluation $baseline --allow-mismatch torch.triton_version |
		sed -n '/^mode\|^mismatches/p'
done
