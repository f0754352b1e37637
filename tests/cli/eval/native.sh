# Every candidate with its status, missing ones too; references that fail.
. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-eval "$suite" "$submission" $quick || exit
steady said | tr -s ' '
statuses $id
ls -A archives | grep -v -e '^[0-9a-f]\{64\}$' -e '^\.names$'
# How many runs those of one call take is the machine's.
kb-verify -v $id | sed "s/[0-9a-f]\{64\}/the id/g
	s/: seeds: ok, [0-9]* of/: seeds: ok, those of/"
