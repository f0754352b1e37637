# The reason; null where a layer says no; no line where the machine cannot.
. "$KB_SRC/tests/cli/verify/fixture/remeasure"
evaluate --levels 1
remeasure_json $suite_id
cp -R archives/$id bent
chmod -R u+w bent
printf x | dd of=bent/data/results.jsonl conv=notrunc status=none
remeasure_json bent
remeasure_json --device cuda:0 $id
