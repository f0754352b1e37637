# There and back again gives the same bundle under the same name.
mkdir level1
printf 'x\n' >level1/1_x.c
id=$(kb-pack suite --name s level1/1_x.c)
kb-pack archive "$id" -o s.tar.gz
test "$(kb-pack unpack s.tar.gz --store other)" = "$id" && diff -r -x .names archives other
