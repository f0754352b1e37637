# Every backend of our own prompts renders in every option.
. "$KB_SRC/tests/cli/generate/fixture/world"
make_world
mkdir -p t/level1
printf 'class Model: pass\n' >t/level1/1_T.py
for backend in cuda triton cute tilelang hip native-c native-cuda
do
	for option in zero_shot one_shot few_shot
	do
		kb-generate ask t m --backend $backend \
			--prompt $option -d $backend-$option >/dev/null 2>&1 ||
			echo "$backend $option: $?"
		grep -o 'Reference:\\n\|Model: pass\|def forward\|kb_forward(const' \
			$backend-$option/requests-0001.jsonl | sort | uniq -c |
			tr -s ' \n' ' '
		echo "$backend $option"
	done
done
