# Nothing is run, and both sides are told; or it is allowed, and said.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
forge $id forged 's/\("\(cpu\.\)\{0,1\}model":\)"[^"]*"/\1"PDP-11"/g'
for allow in '' '--allow-mismatch cpu.model'
do remeasure_json $allow forged |
	sed 's/\("field":"cpu.model","here":\)"[^"]*"/\1"this one"/'
done
