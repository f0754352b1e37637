# A folder that is called like a suite of kb's is not taken for it, unless it is
# named as a path, and a bundle that was named so comes first.
. "$KB_SRC/tests/cli/eval/fixture/lib"
cp -R "$suite" demo
packed() {
	kb run "$submission" "$@" --problems 9/9 2>&1 >/dev/null |
		sed -E -e 's,kb-pack suite /.*/share/kb/problems/,kb-pack suite KB/,' \
			-e "s,$KB_SRC,SRC,g" -e "s,'(SRC[^']*)',\\1,g" \
			-e 's,SRC/[^ ]*/share/kb/problems/,KB/,' -e 's/\b[0-9a-f]{12}\b/ID/g' |
		grep -E '^note: suite|pack suite|eval'
	echo
}
packed --suite demo
packed --suite ./demo
kb pack suite ./demo --name demo >/dev/null
packed --suite demo
rm -rf demo archives
packed --suite demo
