printf 'x\n' >level_1_problem_1_sample_0_kernel.c
kb-pack submission --date 2026-02-30 level_1_problem_1_sample_0_kernel.c
