# A script beside candidates is passed over, and told, and so is a candidate that is
# misspelt; such a problem is refused.
mkdir run
echo 'class ModelNew: pass' >run/level_1_problem_1_sample_0_kernel.py
echo 'import sys' >run/helper.py
kb-pack submission run >said && kb-pack archive "$(tail -n 1 said)" -o x.tar.gz \
	>said && tar -tzf x.tar.gz | grep -c '\.py$'
echo 'class ModelNew: pass' >run/lvl_1_problem_2_sample_0_kernel.py
kb-pack submission run | grep -c .
mkdir -p prob/level1
echo >prob/level1/1_a.py
echo >prob/lvl_1_problem_2.py
kb-pack suite prob
