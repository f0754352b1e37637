# What -o names decides: a link is followed, a FIFO and standard output get the
# bytes, and only a regular file is replaced, by one that heeds the umask.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
umask 027
mkdir paper && ln -s paper/result link && mkfifo fifo && ln -s /proc/self/fd/1 out
for command in "pack archive $suite" "pack publish --license MIT --date 2026-11-21 $score" \
	"pack export csv $score" "report figure fast-p $score"
do
	echo "${command%%" ${command#* * }"}"
	rm -f paper/result
	kb $command -o link >names
	stat -c '%N %A' link paper/result
	timeout 60 cat fifo >from-fifo &
	kb $command -o fifo >names
	wait
	cmp paper/result from-fifo && stat -c %F fifo
	kb $command -o out | cmp - paper/result
	kb $command -o out >redirected
	cmp redirected paper/result && stat -c %N out
done
