# Order of arguments, time and place do not matter: the id is what is in it.
mkdir -p demo/level1
printf 'class Model: pass\n' >demo/level1/19_ReLU.py
printf 'int x;\n' >demo/level1/20_axpy.c
kb-pack suite --name demo demo/level1/20_axpy.c demo/level1/19_ReLU.py
kb-pack suite demo --store elsewhere
cd archives/* && sha256sum --quiet -c manifest-sha256.txt
cat data/manifest.json
