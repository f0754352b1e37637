mkdir level1
printf 'x\n' >level1/1_x.c
kb-pack suite level1/1_x.c
