echo '{}' >r.json
refused() {
	kb-pack report "$@" 2>why
	echo $? "$(head -n 1 why)"
}
refused
refused r.json
refused --level 1 r.json r.json
refused --level 0 r.json
refused --level 1 --format v4 r.json
refused --level 1 --format v3 r.json
refused --baseline-times r.json --format v3 r.json
refused --level 1 nosuch.json
refused --level 1 --baseline-times nosuch.json r.json
refused --level 1 .
ls
