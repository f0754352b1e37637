# What kb run says that it runs can be typed, whatever the names are.
. "$KB_SRC/tests/cli/eval/fixture/lib"
cp -R "$submission" "my kernel's" && cp -R "$suite" '$suite'
kb run --suite '$suite' --store 'a "store' --problems 1/1 "my kernel's" -- \
	$quick >said 2>talk
echo "status $?"
sed -n 's/^kb: //p' talk >commands
while IFS= read -r command
do
	eval "$command" >said 2>&1
	echo "${command%% *}: status $?"
done <commands
ls
