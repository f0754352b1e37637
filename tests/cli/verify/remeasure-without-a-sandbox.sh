# A record that was made without one takes away nobody else's.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
forge $id forged 's/"run_timeout_ns":[0-9]*/&,"sandbox":"off"/
s/"sandbox":"standard"/"sandbox":"off"/'
remeasure forged
