/*
 * Any bytes as CUDA-L1's lines. What is taken are candidates of problems; what
 * is told to be of this form by its first line may be refused for it.
 */

#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "import/cuda_l1.h"
#include "import/sources.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_source(const struct kb_source_file *s)
{
	must(s->key.level >= 1 && s->key.level <= KB_LEVEL_MAX);
	must(s->key.problem_id >= 1 && s->key.problem_id <= KB_PROBLEM_ID_MAX);
	must(s->sample_id == 0 && s->runtime == KB_RUNTIME_TORCH);
	must(s->size_bytes <= KB_SOURCE_BYTES_MAX);
	must(strlen(s->data) == s->size_bytes);
	must(!strncmp(s->origin, "line ", strlen("line ")));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(sources) struct kb_sources sources = KB_SOURCES_INIT;
	const bool is_one = kb_cuda_l1_is(data, size);
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_cuda_l1_parse(&sources, data, size, "fuzz", &err);

	must((ret == 0) == (err.kind == 0));
	must(ret == 0 || ret == -KB_ERR_INPUT);
	must(ret < 0 || is_one || !size);
	for (size_t i = 0; i < sources.count; i++)
		check_source(&sources.items[i]);
	return 0;
}
