/*
 * Any bytes as a leaderboard submission. What is taken has a name for its
 * submitter and kernels whose keys say what they are.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "import/leaderboard.h"
#include "import/sources.h"
#include "manifest/provenance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_source(const struct kb_source_file *s)
{
	kb_auto(mem) char *stem =
		kb_xasprintf("level_%d_problem_%d_sample_%d", s->key.level,
			     s->key.problem_id, s->sample_id);
	const char *key = strstr(s->origin, ": ");

	must(s->key.level >= 1 && s->key.problem_id >= 1);
	must(s->sample_id >= 0);
	must(s->runtime == KB_RUNTIME_TORCH);
	must(s->size_bytes <= KB_SOURCE_BYTES_MAX);
	must(strlen(s->data) == s->size_bytes);
	must(key && !strcmp(key + 2, stem));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(provenance) struct kb_provenance p = KB_PROVENANCE_INIT;
	kb_auto(sources) struct kb_sources sources = KB_SOURCES_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret;

	ret = kb_leaderboard_parse(&p, &sources, data, size, "fuzz", &err);
	must((ret == 0) == (err.kind == 0));
	if (ret < 0) {
		must(ret == -KB_ERR_INPUT);
		must(!p.display_name && !p.notes);
		return 0;
	}
	must(p.display_name && *p.display_name);
	must(kb_provenance_check(&p, "fuzz", NULL) == 0);
	for (size_t i = 0; i < sources.count; i++)
		check_source(&sources.items[i]);

	/* Keys have one spelling, and JSON keys are unique. */
	must(kb_sources_sort(&sources, NULL) == 0);
	return 0;
}
