# Each problem in Python is a candidate that torch.compile() makes of its module.
"$KB_SRC/tools/compile-candidates" "$KB_SRC/problems/kernelbench" compiled
python3 - <<'P'
import ast, glob
files = glob.glob("compiled/*.py")
trees = [ast.parse(open(f).read()) for f in files]
whole = [t for t in trees if {"Model", "ModelNew"} <= {
    node.name for node in t.body if isinstance(node, ast.ClassDef)}]
calls = [t for t in trees if any(
    isinstance(n, ast.Call) and ast.unparse(n) == "torch.compile(self.forward)"
    for n in ast.walk(t.body[-1]) if t.body[-1].name == "ModelNew")]
names = [t for t in trees if any(
    a.name == "torch" and not a.asname for n in t.body
    if isinstance(n, ast.Import) for a in n.names)]
print(len(files), len(whole), len(calls), len(names))
P
kb-pack submission compiled >said
grep -o '"runtime":"[a-z]*"' archives/"$(tail -n 1 said)"/data/manifest.json |
	sort | uniq -c | tr -s ' '
"$KB_SRC/tools/compile-candidates" "$KB_SRC/problems/kernelbench" compiled 2>/dev/null
echo $?
mkdir empty
"$KB_SRC/tools/compile-candidates" empty other
echo $?
"$KB_SRC/tools/compile-candidates" nowhere other
echo $?
