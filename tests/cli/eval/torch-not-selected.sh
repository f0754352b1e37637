# A candidate in Python that will not be judged needs no Python.
. "$KB_SRC/tests/cli/eval/fixture/lib"
cp -R "$submission" more
echo 'class ModelNew: pass' >more/level_2_problem_2_sample_1_kernel.py
KB_PYTHON=/bin/false
export KB_PYTHON
tell kb-eval "$suite" more $quick --problems 2/1
