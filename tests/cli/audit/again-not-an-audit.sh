kb-audit again "$(kb-pack suite --name s "$KB_SRC/tests/cli/eval/fixture/suite" | tail -n 1)" 2>said
status=$?
sed 's/[0-9a-f]\{64\}/the id/g' said
exit $status
