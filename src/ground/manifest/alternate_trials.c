#include "manifest/alternate_trials.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"

KB_DEFINE_CLEANUP(alternate_trials, struct kb_alternate_trials *,
		  kb_alternate_trials_free);

struct kb_alternate_trials *kb_alternate_trials_new(void)
{
	return kb_xcalloc(1, sizeof(struct kb_alternate_trials));
}

void kb_alternate_trials_free(struct kb_alternate_trials *t)
{
	if (!t)
		return;
	kb_trial_seeds_release(&t->trial_seeds);
	free(t->outputs);
	kb_fp64_error_free(t->fp64_error);
	free(t);
}

struct kb_json *kb_alternate_trials_to_json(const struct kb_alternate_trials *t)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_int(v, "trials", t->trials);
	kb_trial_seeds_to_json(v, &t->trial_seeds);
	kb_json_set(v, "outputs",
		    kb_output_errors_to_json(t->outputs, t->output_count));
	kb_json_set(v, KB_FP64_ERROR_MEMBER,
		    kb_fp64_error_to_json(t->fp64_error));
	return v;
}

static void check_counts(struct kb_fields *f, const struct kb_alternate_trials *t)
{
	if (f->ret < 0)
		return;
	if (!t->trials != !t->output_count)
		kb_fields_fail(f, "'outputs' does not go with 'trials'");
	if (t->fp64_error && t->fp64_error->outputs && t->output_count &&
	    t->fp64_error->output_count != t->output_count)
		kb_fields_fail(f, "'%s' has %zu outputs, 'outputs' %zu",
			       KB_FP64_ERROR_MEMBER, t->fp64_error->output_count,
			       t->output_count);
}

struct kb_alternate_trials *kb_alternate_trials_read(struct kb_fields *f,
						     const char *key)
{
	kb_auto(alternate_trials) struct kb_alternate_trials *t = NULL;
	kb_auto(mem) char *where = NULL;
	struct kb_fields inner;

	if (!kb_fields_has(f, key) ||
	    !kb_fields_enter_at(&inner, &where, f, key))
		return NULL;
	t = kb_alternate_trials_new();
	t->trials = kb_fields_int(&inner, "trials", 0, KB_JSON_INT_MAX);
	kb_trial_seeds_read(&t->trial_seeds, &inner);
	t->outputs = kb_output_errors_read(&inner, &t->output_count);
	t->fp64_error = kb_fp64_error_read(&inner, KB_FP64_ERROR_MEMBER);
	check_counts(&inner, t);
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(t);
}
