# A baseline that was compiled by another Triton, and one of a suite of which a
# problem needs another transformers.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
export_with() {
	make_package_bags "$@"
	mv archives/$evaluation e.bag && mv archives/$baseline b.bag
	kb-pack export kernelbench-eval e.bag --baseline b.bag --run-name x -o out
	echo "$?"
	rm -rf e.bag b.bag out
}
make_package_suite 'import torch'
export_with eager 3.7.0 5.2.0
export_with compile:default 3.7.0 5.2.0
make_package_suite 'import transformers'
export_with eager 3.7.0 5.2.0
