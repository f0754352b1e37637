# By two definitions, or of a CPU and a device, times are not compared; what ended
# how is.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
score=$(kb-score $evaluation $baseline | tail -n 1)
other=$(kb-score $evaluation $baseline -p kernelbench | tail -n 1)
cpu=$evaluation
make_cuda_bags
for second in $other $cpu $evaluation
do kb-report compare --text $score $second | sed "s/ [0-9a-f]\{12\} / SHORT /"
done
kb-report compare $score $other && ls
