# A checkout has many; the first by name are told, and how many others.
mkdir -p all/level1 all/Level2 all/.git
echo 'class Model: pass' >all/level1/19_ReLU.py
for i in 1 2 3 4 5 6 7 8
do
	echo >"all/tool$i.py"
done
touch all/notes.txt all/.hidden.py
kb-pack suite --name s all
echo >all/level1/tool.c
kb-pack suite --name s all
