mkdir run
printf 'model_name: m\nrun_name: r\ntemperature: 0.0\n' >run/generation_config.yaml
printf 'x\n' >run/level_1_problem_19_sample_0_kernel.py
kb-pack submission --model other --seed -3 --date 2026-11-21 run
cat archives/*/data/manifest.json
