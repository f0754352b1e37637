# Then they are compared, and the answer bears it.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
forge $id forged 's/\("\(cpu\.\)\{0,1\}model":\)"[^"]*"/\1"PDP-11"/g'
remeasure --allow-mismatch cpu.model --allow-mismatch os.libc forged |
sed 's/^\(cpu.model PDP-11\) .*/\1 this one/'
