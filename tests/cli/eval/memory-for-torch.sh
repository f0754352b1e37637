# A candidate in Python needs the addresses that importing torch takes; one in C
# does not.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p other/level1 in_python in_c
echo 'class Model: pass' >other/level1/1_X.py
echo 'class ModelNew: pass' >in_python/level_1_problem_1_sample_0_kernel.py
echo 'int none;' >in_c/level_1_problem_1_sample_0_kernel.c
cat >python <<'END'
#!/bin/sh
echo '{"torch_version": "2.6.0", "torch_address_bytes": 825229312}'
END
chmod +x python
KB_PYTHON=./python
export KB_PYTHON
judge() {	# MIB PROGRAM OPERAND...
	mib=$1
	shift
	"$@" --memory-mib "$mib" --store store >said 2>talk
	echo "$*, $mib MiB: status $?"
	grep addresses talk
}
judge 787 kb-eval other in_python
judge 786 kb-eval other in_python
judge 786 kb-eval other in_c
judge 786 kb-audit other
exit 0
