# A suite at other sizes: digits are others, and nothing else. What stays as it
# is is no change, and problems that are not named are left out.
mkdir -p demo/level1
cat >demo/level1/19_ReLU.py <<'END'
"""n = 1"""
class Model:
    n = 2

m = 7
n = 4096  # n = 3
k = n * 2
END
printf 'n = 16' >demo/level1/20_Tanh.py
printf 'n = 5\n' >demo/level1/21_Sigmoid.py
echo '{"version": "2"}' >demo/suite.json
echo '{"1/20": {"n": 2147483648}, "1/19": {"n": 4099, "m": 7}}' >odd.json
odd=$(kb-pack suite demo --sizes odd.json)
diff -r demo/level1 archives/$odd/data/problems/level1
cat archives/$odd/data/manifest.json && echo
kb-verify -v $odd

# Of a bundle, under a name of its own: the record alone has another.
demo=$(kb-pack suite demo --store other)
kb-pack suite $demo --store other --sizes odd.json --name mine
kb-verify --store other mine
grep -o '"name":"mine"' other/*/data/manifest.json | cut -d : -f 2-

# Without its parent nothing is said of the files.
rm -r archives/$demo
kb-verify -v $odd | grep chain
