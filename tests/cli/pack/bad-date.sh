printf 'x\n' >level_1_problem_1_sample_0_kernel.c
kb-pack submission --date yesterday level_1_problem_1_sample_0_kernel.c
