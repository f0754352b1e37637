# An evaluation that was made without a GPU has nothing to profile.
. "$KB_SRC/tests/cli/eval/fixture/lib"
tell kb-eval "$suite" "$submission" $quick --problems 2/1 2>/dev/null || test $? = 4 || exit
kb-eval --profile "$id" 2>&1
echo "status $?"
ls archives | grep -c profile || true
