# The table that v3's site has: rows of several runs.
cp "$KB_SRC/tests/fuzz/corpus/v3-csv/two-runs.csv" results.csv
kb-pack report --format v3 --run r1 results.csv >out
sed '$d' out
kb-verify $(tail -n 1 out) | sed "s/$(tail -n 1 out)/the id/g"
grep -o '"run":"[^"]*"' archives/*/data/manifest.json
# Of one run its name need not be given, and nor need a column have it.
{ sed 1q results.csv; grep r2 results.csv; } >one.csv
kb-pack report --format v3 one.csv | sed -n 4p
cut -d, -f1-7 one.csv >without.csv
kb-pack report --format v3 without.csv | sed -n 4p
refused() {
	kb-pack report --format v3 "$@" 2>why
	echo $? "$(head -n 1 why)"
}
refused results.csv
refused --run r3 results.csv
refused --run r1 without.csv
sed 's/False,False/No,False/' results.csv >x.csv
refused --run r1 x.csv
sed 's/H100,2/H100,two/' results.csv >x.csv
refused --run r1 x.csv
sed 's/2_b.py/1_a.py/' results.csv >x.csv
refused --run r1 x.csv
sed 's/,r1,$/,r1/' results.csv >x.csv
refused --run r1 x.csv
sed 's/speedup/times/' results.csv >x.csv
refused --run r1 x.csv
sed 's/m,H100/"m,H100/' results.csv >x.csv
refused --run r1 x.csv
sed 's/m,H100/"m"x,H100/' results.csv >x.csv
refused --run r1 x.csv
printf 'model,\377\n' >x.csv
refused --run r1 x.csv
echo '{}' >r.json
refused --run r1 r.json
kb-pack report --level 1 --run r1 r.json 2>why
echo $? "$(head -n 1 why)"
