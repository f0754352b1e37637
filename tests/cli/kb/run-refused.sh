# What a stage refuses ends it, with the stage's words and status.
. "$KB_SRC/tests/cli/eval/fixture/lib"
# Words are split below, and a path may have a blank.
cp -R "$submission" submission && submission=submission
cp -R "$suite" suite && suite=suite
for arguments in '' nosuch 'a b' "$submission --suite nosuch" \
	"$submission --suite $suite -- --trials x" \
	"$submission --suite $suite --problems 9/9" \
	"$submission --suite $suite --name @mine"
do
	kb run $arguments 2>&1 | grep -v -e '^usage' -e '^  ' |
		sed -E -e "s,$KB_SRC,SRC,g" -e 's/\b[0-9a-f]{12}\b/ID/g'
done
kb run "$submission" --suite "$suite" -- --trials x 2>/dev/null
