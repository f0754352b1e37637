# References that work have a time, those that fail say how.
. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-baseline "$suite" $quick || exit
statuses $id
ls -A archives | grep -v -e '^[0-9a-f]\{64\}$' -e '^\.names$' -e '^\.builds$'
kb-verify -v $id | sed 's/[0-9a-f]\{64\}/the id/g'
