# What README says of a suite of gradients, typed as it is there: of KernelBench's
# problems those that have none are told, and the rest is the parent's.
mkdir -p problems
cp -r "$KB_SRC/problems/kernelbench" "$KB_SRC/problems/backward" problems || exit
sed -n '/^A suite of gradients/,/^Candidates and/s/^    \(kb\)/\1/p' \
	"$KB_SRC/README.md" >lines
grep -c . lines
sh lines >id 2>told
grep -c 'is left out: ' told
kb-verify -v "$(cat id)" | grep -o 'chain: backward: .*'
