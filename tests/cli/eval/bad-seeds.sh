. "$KB_SRC/tests/cli/eval/fixture/lib"
for seeds in '' , 42, ,42 42,,123 42,42 42,123,42 -1 42,-1 +42 042 ' 42' x \
	42,0x7 42,1.5 9007199254740992 42,99999999999999999999 \
	42,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16
do kb-eval "$suite" "$submission" --seeds "$seeds" || status=$?
done
exit $status
