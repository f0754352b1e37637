mkdir -p other/level1
echo "class Model: pass" >other/level1/1_X.py
KB_PYTHON=/bin/false
export KB_PYTHON
kb-audit other
