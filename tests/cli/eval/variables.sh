# What languages for kernels want to be told reaches candidates, they can read what
# it names, and the record has it; nothing else of the environment does.
. "$KB_SRC/tests/cli/eval/fixture/lib"
# Another user reads it.
chmod 755 . && mkdir candidates kittens && echo meow >kittens/kittens.cuh &&
	cat >candidates/level_1_problem_1_sample_0_kernel.c <<'END' || exit
#include <stdio.h>
#include <stdlib.h>
#include <kb_native.h>

int kb_forward(const struct kb_native_call *call)
{
	const char *root = getenv("THUNDERKITTENS_ROOT");
	char path[4096];

	(void)call;
	snprintf(path, sizeof(path), "%s/kittens.cuh", root ? root : "");
	fprintf(stderr, "%s, and %s\n", fopen(path, "r") ? "read" : "not read",
		getenv("KITTENS") ? "told" : "not told");
	return KB_NATIVE_FAILED;
}
END
unset CC CXX PYTORCH_NVCC NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS \
	TRITON_PTXAS_PATH CUTLASS_PATH CUTE_DSL_ARCH
for root in '' "$PWD/kittens"
do
	export THUNDERKITTENS_ROOT="$root" KITTENS=1
	tell kb-eval "$suite" candidates --problems 1/1 $quick 2>/dev/null
	grep -o '"log":"[^"]*"' "archives/$id/data/results.jsonl"
	grep -o '"variables":{[^}]*}' "archives/$id/data/manifest.json" |
		sed "s|$PWD|here|"
	kb-verify $id | cut -d ' ' -f 1
done
