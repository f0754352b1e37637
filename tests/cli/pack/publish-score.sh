# What its README says to type, typed where it was unpacked.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
kb-pack publish $score >listed
file=$(tail -n 1 listed)
echo $file | sed "s/$(echo $score | cut -c 1-16)/the score/"
tar -xzf $file && cd ${file%.tar.gz}
printf 'as many files and bytes as are told are there\n'
find . -type f -printf '%s\n' | awk '{ bytes += $1 }
	END { printf "%d files of %d bytes\n", NR, bytes }' >../there
sed '1s/, .*//; q' ../listed | diff - ../there
sed -n '/^    kb-verify/,/^$/p; /^    for/,/^    done/p' README.md >commands
cat commands | sed "s/$score/the score/"
sh commands | grep "^\(ok\|no\)  " | sed "s/$score/the score/g" | sort
