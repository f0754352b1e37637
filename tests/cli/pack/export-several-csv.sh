# The lines of each score alone, below one head.
. "$KB_SRC/tests/cli/pack/fixture/several-scores"
make_pair cpu
by_model gpt-4 && score a && score b --sample-id 1
by_model llama-3.1 && score c
for id in $a $b $c
do kb-pack export csv $id >$id.csv || exit
done
kb-pack export csv $a $b $c -o several.csv
(cat $a.csv && tail -n +2 $b.csv && tail -n +2 $c.csv) | cmp - several.csv
wc -l <several.csv
kb-pack export csv $c $a | cut -d , -f 1,26,33
