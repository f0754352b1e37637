# A shard that was not done is done by the last command; one that was done
# twice counts once.
. "$KB_SRC/tests/cli/eval/fixture/lib"
set -- kb-eval "$suite" "$submission" $quick
for shard in 1/3 3/3 1/2
do tell "$@" --shard $shard 2>&1 || exit
done
tell "$@" 2>&1 || exit
statuses "$id"
ls -A archives | grep journal | wc -l
kb-verify "archives/$id" >said && echo verified
