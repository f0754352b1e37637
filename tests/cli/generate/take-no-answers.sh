# A text, and JSON over several lines, are told once and not a line at a time.
. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
ask >/dev/null
printf '# Title\n\nwords\nmore\nmore\nmore\n' >README.md
printf '{\n  "custom_id": "x",\n  "a": 1,\n  "b": 2\n}\n' >one.json
for file in README.md one.json
do
	kb-generate take $file
	echo "status $?"
done
