# A file's name that has several lines is told on one.
mkdir -p sub/level1
echo "class ModelNew: pass" >sub/level1/1_a.py
ln -s /etc/passwd "$(printf 'sub/level1/2_b\nkb-pack: done.py')"
kb-pack submission sub >/dev/null
