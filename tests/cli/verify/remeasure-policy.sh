# What cannot be as it was is not measured in another way. On a busy machine a
# run has fewer calls, so that those of one call are of more runs.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
try() {
	rm -rf forged
	forge $id forged "$1"
	remeasure --device cpu forged |
		sed "s/'trial_seeds' has [0-9]*, /'trial_seeds' has more, /"
}
try 's/"log_limit_bytes":1048576/"log_limit_bytes":1048577/'
try 's/"policy":{/"policy":{"aim":"high",/'
try 's/"native_flags":"[^"]*"/"native_flags":"-Ofast"/'
try 's/"trials":1,/"trials":0,/'
try 's/"trials":1,/"trials":"1",/'
try 's/"kernelbench","trials":1,/"generous","trials":1,/'
try 's/"threads":1,/"threads":4097,/'
try 's/"batch_min_ns":8000000,//'
try 's/"batch_min_ns":8000000,/"batch_min_ns":9000000,/'
{
	try 's/"threads":1,/"threads":4096,/;s/threads":"1"/threads":"4096"/g'
} 2>some
sed 's/there are [0-9]*$/there are fewer/' some >&2
