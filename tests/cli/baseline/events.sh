. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-baseline "$suite" $quick --levels 2 --events events || test $? = 4 || exit
sed -e '/"event":"stage"/d' -e 's/"elapsed_ms":[0-9]*,//' -e 's/{"detail.*"status":"\([a-z_]*\)".*},"total"/"\1","total"/' events
sed -n 's/.*"result":\({.*}\),"total":2}$/\1/p' events |
cmp - archives/$id/data/results.jsonl
