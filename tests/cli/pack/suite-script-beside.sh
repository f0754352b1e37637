# KernelBench's own folder had one for some months.
mkdir -p KernelBench/level1
printf 'x\n' >KernelBench/level1/19_ReLU.py
printf 'import torch\n' >KernelBench/test.py
kb-pack suite KernelBench
grep -o '"key":"[^"]*"' archives/*/data/manifest.json
