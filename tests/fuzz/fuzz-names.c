/*
 * Any bytes as the name of a file of code, and as a stem. What is taken is
 * within its limits, and spelt out as a candidate's name it is read as the
 * same.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "import/sources.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_limits(struct kb_key key, int sample_id)
{
	must(key.level >= 1 && key.level <= KB_LEVEL_MAX);
	must(key.problem_id >= 1 && key.problem_id <= KB_PROBLEM_ID_MAX);
	must(sample_id >= 0 && sample_id <= KB_SAMPLE_ID_MAX);
}

static void check_again(const struct kb_source_file *s)
{
	kb_auto(mem) char *stem = kb_xasprintf(
		"level_%d_problem_%d_sample_%d", s->key.level,
		s->key.problem_id, s->sample_id);
	struct kb_key key;
	int sample_id;

	must(kb_source_stem_parse(&key, &sample_id, stem, strlen(stem),
				  NULL) == 0);
	must(!kb_key_compare(key, s->key) && sample_id == s->sample_id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(mem) char *path = kb_xstrndup((const char *)data, size);
	struct kb_source_file s = { .name = NULL }, any = { .name = NULL };
	struct kb_err err = KB_ERR_INIT;
	struct kb_key key;
	int sample_id;

	if (kb_source_stem_parse(&key, &sample_id, (const char *)data, size,
				 NULL) == 0)
		check_limits(key, sample_id);
	if (kb_source_name_parse(&any, path, true, NULL) == 0) {
		check_limits(any.key, any.sample_id);
		free(any.name);
	} else {
		must(kb_source_name_parse(&s, path, false, NULL) < 0);
	}
	if (kb_source_name_parse(&s, path, false, &err) < 0) {
		must(err.kind == KB_ERR_INPUT && err.msg[0]);
		return 0;
	}
	check_limits(s.key, s.sample_id);
	check_again(&s);
	free(s.name);
	return 0;
}
