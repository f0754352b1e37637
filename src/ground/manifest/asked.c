#include "manifest/asked.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"

void kb_asked_release(struct kb_asked *a)
{
	kb_json_free(a->options);
	free(a->model);
	free(a->hardware);
	free(a->sampling);
	free(a->problems);
	kb_prices_release(&a->prices);
	kb_refinement_release(&a->refinement);
	*a = (struct kb_asked)KB_ASKED_INIT;
}

void kb_asked_to_json(struct kb_json *record, const struct kb_asked *a)
{
	kb_json_set(record, "options", kb_json_copy(a->options));
	kb_json_set_string(record, "model", a->model);
	kb_json_set_string(record, "backend", kb_backend_name(a->backend));
	kb_put_digest(record, "templates_sha256", &a->templates);
	kb_json_set_string(record, "hardware", a->hardware);
	kb_json_set_string(record, "sampling", a->sampling);
	kb_put_int(record, "seed", a->seed);
	kb_json_set_int(record, "samples_per_problem", a->samples);
	kb_json_set(record, "prices", kb_prices_to_json(&a->prices));
	kb_put_keys(record, "problems", a->problems, a->problem_count);
	if (a->has_refinement)
		kb_json_set(record, "refinement",
			    kb_refinement_to_json(&a->refinement));
}

/* Members that a request's body has besides. */
static const char *const own_members[] = {
	"messages", "model", "n", "seed", "stream",
};

static void check_sampling(const struct kb_asked *a, struct kb_fields *f)
{
	kb_auto(json) struct kb_json *v = NULL;

	if (f->ret < 0)
		return;
	if (kb_json_parse(&v, a->sampling, strlen(a->sampling),
			  KB_JSON_FOREIGN, "", NULL) < 0 ||
	    kb_json_type(v) != KB_JSON_OBJECT) {
		kb_fields_fail(f, "'sampling' is no JSON object");
		return;
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(own_members); i++)
		if (kb_json_find(v, own_members[i]))
			kb_fields_fail(f, "'sampling' has the member '%s'",
				       own_members[i]);
}

void kb_asked_read(struct kb_asked *a, struct kb_fields *f)
{
	a->options = kb_fields_strings(f, "options");
	a->model = kb_fields_string(f, "model");
	a->backend = (enum kb_backend)
		kb_fields_word(f, "backend", kb_backend_names,
			       KB_BACKEND_COUNT);
	a->templates = kb_fields_digest(f, "templates_sha256");
	a->hardware = kb_fields_string_or_null(f, "hardware");
	a->sampling = kb_fields_string(f, "sampling");
	check_sampling(a, f);
	a->seed = kb_fields_int_or_null(f, "seed", 0, KB_JSON_INT_MAX -
					KB_SAMPLE_ID_MAX);
	a->samples = (int)kb_fields_int(f, "samples_per_problem", 1,
					KB_SAMPLE_ID_MAX + 1);
	kb_prices_read(&a->prices, f, "prices");
	a->problems = kb_fields_keys(f, "problems", &a->problem_count);
	a->has_refinement = kb_fields_has(f, "refinement");
	if (a->has_refinement)
		kb_refinement_read(&a->refinement, f, "refinement");
	if (f->ret == 0 && !a->problem_count)
		kb_fields_fail(f, "'problems' is empty");
}
