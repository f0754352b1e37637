# README's lines, typed as they are there; only that few problems are measured,
# and no more thoroughly than it takes to find a time on a busy machine.
ln -s "$KB_SRC/problems" "$KB_SRC/tests" .
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
		line="$line --problems 1/9,1/10 --trials 15 --threads 1" ;;
	esac
	(eval "$line") </dev/null >said 2>talk || { echo "$line: $?"; cat said talk; }
	case $line in
	*verify*) sed -E 's/^(ok|no)  ([a-z]+) .*/\1 \2/' said | sort ;;
	esac
done <lines
ls -d report speedups.svg kernelbench table.tex
ls kb-*.tar.gz | wc -l
