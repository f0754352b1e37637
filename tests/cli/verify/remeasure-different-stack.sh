# Nothing is run, and the table says why.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
forge $id forged 's/"cpu.model":"[^"]*"/"cpu.model":"PDP-11"/
s/"os.libc":"[^"]*"/"os.libc":"\x1b[31m"/'
grep -q 'u001b\|.\[31m' forged/data/manifest.json || echo "no escape"
sed -i 's/\x1b/\\u001b/' forged/data/manifest.json
(cd forged && sha256sum data/* >manifest-sha256.txt)
remeasure forged | sed -E 's/^(cpu.model PDP-11|os.libc .\[31m) .*/\1 this one/'
remeasure --allow-mismatch cpu.model forged | tail -n 2
