# README's lines, typed as they are there; only that the demo is two problems in C
# and three candidates, and is measured no more thoroughly than it takes to find a
# time on a busy machine. tests/demo measures the whole of it.
mkdir -p problems tests/submissions/demo
. "$KB_SRC/tests/cli/eval/fixture/lib"
native_demo 9 10 && mv demo problems || exit
for candidate in 9_sample_0 9_sample_3 10_sample_0
do
	kernel=level_1_problem_${candidate}_kernel.c
	cp "$KB_SRC/tests/submissions/demo/$kernel" tests/submissions/demo || exit
done
cp "$KB_SRC/tests/cli/sign/fixture/alice.pem" .
cp "$KB_SRC/tests/cli/sign/fixture/alice.pub" .
{
	sed -n '/^It says each program that it runs/,/^## /p' "$KB_SRC/README.md"
	sed -n '/^The other way, `kb-pack export`/,/^## Verifying/p' "$KB_SRC/README.md"
} | sed -n 's/^    \(kb \|cd archives\)/\1/p' >lines
grep -c . lines
while read -r line
do
	case $line in
	'kb baseline '* | 'kb eval '*)
		line="$line $sure" ;;
	esac
	(eval "$line") </dev/null >said 2>talk || { echo "$line: $?"; cat said talk; }
	case $line in
	*verify*) sed -E 's/^(ok|no)  ([a-z]+) .*/\1 \2/' said | sort ;;
	esac
done <lines
ls -d pages speedups.svg kernelbench table.tex
ls kb-*.tar.gz | wc -l
