mkdir level1
printf 'x\n' >level1/1_x.c
id=$(kb-pack suite --name s level1/1_x.c)
cp -r "archives/$id" bag && chmod -R u+w bag
printf 'y\n' >bag/data/problems/level1/1_x.c
kb-pack unpack bag
