# What a folder is called would be the suite's name. Problems may be in it all the
# same, if the name is given.
folder=$(printf 'a\377b')
mkdir -p "$folder/level1"
printf 'x\n' >"$folder/level1/1_x.c"
kb-pack suite "$folder" 2>err
echo $?
head -n 1 err
kb-pack suite "$folder" --name b | wc -l
