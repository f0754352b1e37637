cp "$KB_SRC/tests/fuzz/corpus/cuda-l1/two-lines.json" h100.json
kb-pack submission --model CUDA-L1 h100.json
cat archives/*/data/manifest.json
cp h100.json h100.jsonl
kb-pack submission --model CUDA-L1 h100.jsonl
