# Of one evaluation by two definitions, and one on a device: three rankings.
. "$KB_SRC/tests/cli/score/fixture/make-bags"
make_bags
first=$(kb-score $evaluation $baseline | tail -n 1)
other=$(kb-score $evaluation $baseline -p kernelbench | tail -n 1)
make_cuda_bags
device=$(kb-score $evaluation $baseline | tail -n 1)
kb-report --text $first $other $device | sed "s/[0-9a-f]\{12\}/SHORT/"
kb-report -o board $first $other $device && ls board | wc -l
cut -d , -f 1-5,9-21 board/leaderboard.csv
