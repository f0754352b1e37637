# What no line of one score says, and here they differ in.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
make_pair cpu
score a
again evaluation 's/"policy":{}/"policy":{"tolerance":"=precise"}/' && score b
again_both 's/"torch":"2.5.0"/"torch":"2.9.0"/' && score c
export_of csv a b c | cut -d , -f 1,3,21,24-
