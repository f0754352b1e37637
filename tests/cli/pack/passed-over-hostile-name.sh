# Nothing of a name reaches the terminal that it could act on.
mkdir run
echo 'class ModelNew: pass' >run/level_1_problem_1_sample_0_kernel.py
echo >"run/$(printf '\033[2Jtool.py')"
kb-pack submission run
