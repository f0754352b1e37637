# suite.json may have facts of problems: they become part of the record.
mkdir -p demo/level1
printf 'class Model: pass\n' >demo/level1/19_ReLU.py
printf 'int x;\n' >demo/level1/20_axpy.c
cat >demo/suite.json <<'END'
{"version": "2", "problems": {"1/19": {
  "inputs": [{"name": "x", "dtype": "float32", "shape": [2, 3]},
             {"name": "slope", "value": "0.01"}],
  "outputs": [{"dtype": "float32", "shape": [2, 3]}],
  "parameters": {"count": 0, "bytes": {"fp32": 0, "fp16": 0, "bf16": 0}},
  "flops": 6,
  "bytes_min": {"fp32": 48, "fp16": 24, "bf16": 24},
  "requires": {"device_bytes": 48, "compute_capability": null, "packages": []},
  "tags": ["activation"],
  "note": null,
  "tolerance": {"fp16": {"atol": "1e-2", "rtol": "1e-2"}},
  "remedy": null,
  "audit": null}}}
END
kb-pack suite demo
cat archives/*/data/manifest.json && echo
kb-verify -v archives/*
