# kb-slurm says how it is called to who asks, and to who calls it otherwise; beside
# a Slurm that is made up, it prints the numbers of both jobs.
for option in --help -h
do "$KB_SRC/tools/kb-slurm" $option >"$option.txt" || echo "status $?"
done
cmp ./--help.txt ./-h.txt && head -n 1 ./-h.txt
for words in '' -x '8' '0 kb-eval' 'eight kb-eval'
do
	"$KB_SRC/tools/kb-slurm" $words >said 2>talk
	echo "'$words': status $?, $(wc -c <said) bytes of output"
	grep '^usage: ' talk
done
cat >sbatch <<'EOF'
#!/bin/sh
case $* in
*--dependency=afterany:71\ *) echo 72 ;;
*--array=1-8\ *) echo 71 ;;
esac
EOF
chmod +x sbatch
PATH=$PWD:$PATH "$KB_SRC/tools/kb-slurm" 8 kb-eval demo ours
