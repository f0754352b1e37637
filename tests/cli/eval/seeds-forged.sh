# Seeds that the policy has and the lines do not, or in another order, or none
# that could be.
. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-eval "$fixture/seeds/suite" \
	"$fixture/seeds/submission" --problems 1/1 $quick \
	--seeds 42,123 2>/dev/null || exit
n=0
for seeds in '"42,123,456"' '"42"' '"123,42"' '"42,-1"' '""' 42
do
	n=$((n + 1))
	forge $id copy$n 's/\("policy":{.*"seeds":\)"42,123"/\1'"$seeds/" || exit
	kb-score copy$n copy$n
done 2>&1
cp -R copy1 removed && sed -i 's/\("policy":{.*\)"seeds":"[0-9,]*",/\1/' \
	removed/data/manifest.json &&
	(cd removed && sha256sum data/* >manifest-sha256.txt) &&
	kb-score removed removed 2>&1
