# Nothing is run, and the table says why.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
forge $id forged 's/\("\(cpu\.\)\{0,1\}model":\)"[^"]*"/\1"PDP-11"/g
s/\("\(os\.\)\{0,1\}libc":\)"[^"]*"/\1"\x1b[31m"/g'
grep -q 'u001b\|.\[31m' forged/data/manifest.json || echo "no escape"
sed -i 's/\x1b/\\u001b/g' forged/data/manifest.json
(cd forged && sha256sum data/* >manifest-sha256.txt)
remeasure forged | sed -E 's/^(cpu.model PDP-11|os.libc .\[31m) .*/\1 this one/'
remeasure --allow-mismatch cpu.model forged | tail -n 2
