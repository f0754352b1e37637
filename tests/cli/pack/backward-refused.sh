# A line for each file of problems to leave out, and for each suite and option,
# that is refused.
mkdir -p demo/level1 c/level1
printf 'n = 5\n' >demo/level1/1_A.py
printf 'n = 5\n' >demo/level1/2_B.py
printf 'int x;\n' >c/level1/1_A.c
try() {
	printf '%s' "$1" >left-out.json
	kb-pack suite demo --backward --leave-out left-out.json 2>&1
	echo $?
}
try '{"1/3": "none"}'
try '{"1/1": "a", "1/2": "b"}'
try '{"1/1": ""}'
try '{"1/1": "a\nb"}'
try '{"1/1": {}}'
try '{"1": "a"}'
try '{"1/1": "a", "1/1": "b"}'
try '[]'
try ''
kb-pack suite c --backward 2>&1
echo $?

echo '{}' >left-out.json
slopes=$(kb-pack suite demo --backward)
kb-pack suite $slopes --backward 2>&1 | sed "s/$slopes/slopes/"
echo '{"1/1": {"n": 6}}' >sizes.json
kb-pack suite $slopes --sizes sizes.json 2>&1 | sed "s/$slopes/slopes/"
odd=$(kb-pack suite demo --sizes sizes.json)
kb-pack suite $odd --backward 2>&1 | sed "s/$odd/odd/"
echo '{"1/1": "a"}' >left-out.json
kb-pack suite demo --backward --leave-out left-out.json --sizes sizes.json 2>&1
echo '{"1/1": {"n": 5}}' >sizes.json
kb-pack suite demo --backward --sizes sizes.json 2>&1
for words in '--backward demo demo' '--backward' \
	'--backward demo --suite-version 2' \
	'--backward demo --upstream-commit 5a' '--leave-out left-out.json demo' \
	'--sizes sizes.json --leave-out left-out.json demo' \
	'--backward nosuch' '--backward demo --leave-out absent.json'
do
	kb-pack suite $words >out 2>&1
	echo $? $(head -n 1 out)
done
