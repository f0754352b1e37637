# lib.sh: what is in force where a command is run; the caller has set B, the build,
# and dir, a directory that everybody can write to, and counts in n and bad.
# shellcheck shell=sh disable=SC2034,SC2154 # that the caller sets and reads

# row NAME IN-FORCE NOT-IN-FORCE COMMAND...: what the record would say there.
row() {
	n=$((n + 1)) name=$1 wanted=$2 unwanted=$3 said=ok
	shift 3
	if ! (cd "$dir" && HOME=$dir TMPDIR=$dir "$@" "$B/bin/kb-baseline" \
		--print-environment) >"$dir/out" 2>"$dir/err"
	then
		sed 's/^/# /' "$dir/err"
		echo "not ok $n - $name"
		bad=1
		return
	fi
	sed -n 's/^  isolation\.\([a-z_]*\): *\(true\|false\)$/\1 \2/p' "$dir/out" >"$dir/has"
	for feature in $wanted
	do grep -qx "$feature true" "$dir/has" || { said="not ok"; echo "# no $feature"; }
	done
	for feature in $unwanted
	do grep -qx "$feature false" "$dir/has" || { said="not ok"; echo "# $feature"; }
	done
	test "$said" = ok || bad=1
	echo "# | $name | $(sed -n 's/ true//p' "$dir/has" | tr '\n' ' ')| $(sed -n \
		's/ false//p' "$dir/has" | tr '\n' ' ')|"
	echo "$said $n - $name"
}
