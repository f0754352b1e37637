# A torch problem on a machine whose Python has no torch.
. "$KB_SRC/tests/cli/eval/fixture/lib"
mkdir -p other/level1
echo 'class Model: pass' >other/level1/1_X.py
echo 'class ModelNew: pass' >level_1_problem_1_sample_0_kernel.py
cat >python <<'END'
#!/bin/sh
echo 'Traceback (most recent call last):' >&2
echo "ModuleNotFoundError: No module named 'torch'" >&2
exit 1
END
chmod +x python
KB_PYTHON=./python
export KB_PYTHON
tell kb-eval other level_1_problem_1_sample_0_kernel.py
