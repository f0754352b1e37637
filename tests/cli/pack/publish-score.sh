# What its README says to type, typed where it was unpacked.
. "$KB_SRC/tests/cli/pack/fixture/export-bags"
make_pair cpu
score=$(kb-score $evaluation $baseline | tail -n 1)
kb-pack publish $score >listed
file=$(tail -n 1 listed)
echo $file | sed "s/$(echo $score | cut -c 1-16)/the score/"
tar -xzf $file && cd ${file%.tar.gz}
printf 'what is listed is what is there, with its size\n'
find . -type f -printf '%P %s\n' | sort >../there
sed '1d; /^[0-9]* files/,$d; s/  */ /' ../listed | sort | diff - ../there
sed -n '/^    kb-verify/,/^$/p; /^    for/,/^    done/p' README.md >commands
cat commands | sed "s/$score/the score/"
sh commands | grep "^\(ok\|no\)  " | sed "s/$score/the score/g" | sort
