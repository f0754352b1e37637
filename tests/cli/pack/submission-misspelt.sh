# A script beside candidates is passed over; a candidate that is misspelt is no
# script, and is not left out in silence.
mkdir run
echo 'class ModelNew: pass' >run/level_1_problem_1_sample_0_kernel.py
echo 'import sys' >run/helper.py
kb-pack submission run >said && kb-pack archive "$(tail -n 1 said)" -o x.tar.gz \
	>said && tar -tzf x.tar.gz | grep -c '\.py$'
echo 'class ModelNew: pass' >run/lvl_1_problem_2_sample_0_kernel.py
kb-pack submission run
