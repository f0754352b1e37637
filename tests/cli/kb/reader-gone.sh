# Whose reader has gone ends by SIGPIPE, silently, but not where that is ignored.
without_reader() {
	rm -f gone
	{
		until test -e gone
		do sleep 0.01
		done
		"$@"
		echo "$1 $2: $?" >status
	} | {
		exec <&-
		: >gone
	}
	cat status
}
without_reader kb help eval
without_reader kb-eval --help
without_reader kb completion bash
without_reader kb-pack suite "$KB_SRC/tests/cli/eval/fixture/suite"
kb-eval --help >/dev/full
echo "full: $?"
trap '' PIPE
without_reader kb-eval --help
