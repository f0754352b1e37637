# A suite of gradients: behind each file stands a text, the same for all, and
# nothing else is changed. What has no gradients is left out, with a reason.
mkdir -p demo/level1
cat >demo/level1/19_ReLU.py <<'END'
class Model:
    n = 2

n = 4096
END
printf 'n = 16' >demo/level1/20_Tanh.py
printf 'n = 5\n' >demo/level1/21_Argmax.py
printf 'int x;\n' >demo/level1/22_Native.c
echo '{"version": "2"}' >demo/suite.json
echo '{"1/21": "an output of integers"}' >left-out.json
slopes=$(kb-pack suite demo --backward --leave-out left-out.json)
for name in 19_ReLU 20_Tanh
do
	cat demo/level1/$name.py "$KB_SRC/src/manifest/gradients_1.py" |
		cmp - archives/$slopes/data/problems/level1/$name.py
done
ls archives/$slopes/data/problems/level1
# The text is held against its own file above: here its digest may change.
hide='s/"\(sha256\)":"[0-9a-f]*"/"\1":"..."/g;s/"size_bytes":[0-9]*/"size_bytes":0/g'
sed "$hide" archives/$slopes/data/manifest.json && echo
kb-verify -v $slopes | sed "s/$slopes/ID/g" | grep 'chain\|ok '

# At other sizes as well. What sizes do not name is not in it either way.
echo '{"1/19": {"n": 4099}, "1/21": {"n": 7}}' >odd.json
odd=$(kb-pack suite demo --backward --leave-out left-out.json \
	--sizes odd.json)
sed 's/4096/4099/' demo/level1/19_ReLU.py |
	cat - "$KB_SRC/src/manifest/gradients_1.py" |
	cmp - archives/$odd/data/problems/level1/19_ReLU.py
sed "$hide" archives/$odd/data/manifest.json && echo
kb-verify -v $odd | sed "s/$odd/ID/g" | grep 'chain\|ok '

# Nothing need be left out; a name of one's own.
rm demo/level1/22_Native.c
kb-pack suite demo --backward --name slopes >id
kb-verify slopes | sed "s/$(cat id)/ID/"
grep -o '"left_out":[^]]*]\|"name":"slopes"' \
	archives/$(cat id)/data/manifest.json
