# A line for each file of sizes that is refused.
mkdir -p demo/level1
printf 'n = 5\nm = n\nl = [1]\n' >demo/level1/1_A.py
printf 'int x;\n' >demo/level1/2_B.c
printf 'n = 5\nn = 6\n' >demo/level1/3_C.py
printf 'n = 5)\n' >demo/level1/4_D.py
try() {
	printf '%s' "$1" >sizes.json
	kb-pack suite demo --sizes sizes.json 2>&1
	echo $?
}
try '{"1/1": {"k": 6}}'
try '{"1/1": {"m": 6}}'
try '{"1/1": {"l": 6}}'
try '{"1/1": {"n": 5}}'
try '{"1/1": {"n": 0}}'
try '{"1/1": {"n": -1}}'
try '{"1/1": {"n": 2147483649}}'
try '{"1/1": {"n": 5.5}}'
try '{"1/1": {"n": [5]}}'
try '{"1/1": {"n": 6, "n": 7}}'
try '{"1/1": {"n": 6}, "1/1": {"n": 7}}'
try '{"1/1": {"n m": 6}}'
try '{"1/1": {}}'
try '{"1/2": {"x": 6}}'
try '{"1/3": {"n": 7}}'
try '{"1/4": {"n": 7}}'
try '{"1/5": {"n": 7}}'
try '{"1": {"n": 7}}'
try '{}'
try '[]'
try ''

echo '{"1/1": {"n": 6}}' >sizes.json
derived=$(kb-pack suite demo --sizes sizes.json)
kb-pack suite $derived --sizes sizes.json 2>&1 | sed "s/$derived/derived/"
for words in 'demo demo' 'demo --suite-version 2' 'demo --upstream-commit 5a' \
	nosuch
do
	kb-pack suite --sizes sizes.json $words 2>&1 | head -n 1
done
kb-pack suite demo --sizes absent.json 2>&1
echo $?
