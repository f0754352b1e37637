# Made where a process may use a petabyte: here it may use what there is.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
forge $id forged 's/"memory_bytes":[0-9]*,"native/"memory_bytes":1125899906842624,"native/
	s/"memory-mib":"[0-9]*"/"memory-mib":"1073741824"/'
remeasure forged
