# What no line of one score says, and here they differ in.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
make_pair cpu
score a
again evaluation 's/"kernelbench"/"paper"/g' && score b
again_both 's/"2\.9\.0"/"2.10.0"/g' && score c
export_of csv a b c | sed 's/"[^"]*"/.../g' | cut -d , -f 1,4,40,43-
