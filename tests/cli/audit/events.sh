. "$KB_SRC/tests/cli/eval/fixture/lib"
kb-audit "$suite" --problems 1/1 --events events 2>/dev/null >said || exit
sed "s/\"wall_ns\":[0-9]*/\"wall_ns\":0/; s/\"elapsed_ms\":[0-9]*,//" events
