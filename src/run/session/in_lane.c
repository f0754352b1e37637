#include "session/in_lane.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/variable.h"
#include "json/json.h"
#include "session/session.h"
#include "worker/view.h"

/* The root of the process that we were forked from is not ours to remove. */
static int take_scratch(struct kb_scratch *s, struct kb_err *err)
{
	/* A lock of flock(2) is held until the last copy of its descriptor is
	 * closed, those that fork(2) made included: with ours open, the root of
	 * a run that was killed would look as if it were in use. */
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	free(s->root);
	*s = (struct kb_scratch)KB_SCRATCH_INIT;
	return kb_scratch_open(s, err);
}

/* Conditions are those of a device, which only the lane has open; the
 * coordinator's are made of the first lane's report. */
static void drop_conditions(struct kb_conditions *c)
{
	kb_json_free(c->environment);
	kb_json_free(c->match_key);
	kb_json_free(c->policy);
	kb_json_free(c->options);
	c->environment = c->match_key = c->policy = c->options = NULL;
}

int kb_session_enter_lane(struct kb_session *s, size_t number, bool is_quiet,
			  struct kb_err *err)
{
	int ret;

	/* A program before this one has said it: src/door/runs/stage_run.c. */
	s->is_quiet = is_quiet || kb_variable("KB_NOTED");
	kb_journal_release(&s->run.journal);
	drop_conditions(&s->run.conditions);
	if (s->machine.gpu.is_cuda)
		s->machine.gpu.number = number * s->machine.launcher.ranks;
	ret = take_scratch(&s->machine.launcher.scratch, err);
	if (ret >= 0)
		ret = kb_session_device_open(s, err);
	kb_session_note_options(s);
	return ret;
}

void kb_session_leave_lane(struct kb_session *s)
{
	(void)kb_launched_end(&s->machine.launcher.leaving);
	kb_launcher_end_server(&s->machine.launcher);
	kb_scratch_release(&s->machine.launcher.scratch);
	kb_session_device_close(&s->machine.gpu);
}

struct kb_json *kb_session_lane_report(const struct kb_session *s)
{
	const struct kb_conditions *c = &s->run.conditions;
	struct kb_json *v = kb_json_object();

	kb_json_set(v, "environment", kb_json_copy(c->environment));
	kb_json_set(v, "match_key", kb_json_copy(c->match_key));
	kb_json_set(v, "policy", kb_json_copy(c->policy));
	kb_json_set(v, "options", kb_json_copy(c->options));
	kb_json_set_int(v, "features", s->machine.launcher.features);
	kb_json_set_string(v, "other_user_why_not",
			   s->machine.launcher.other_user_why_not);
	kb_json_set_int(v, "cuda_arch", s->machine.launcher.cuda_arch);
	return v;
}

/* The facts for src/run/runtime/torch/kb_torch_answers.py; NULL if not all are
 * known. The caller frees. */
static char *gpu_facts(const struct kb_json *environment)
{
	static const struct {
		const char *name;
		enum kb_json_type type;
	} facts[] = {
		{ "name", KB_JSON_STRING },
		{ "compute_capability", KB_JSON_STRING },
		{ "multiprocessors", KB_JSON_INT },
	};
	const struct kb_json *gpu = kb_json_find(environment, "gpu");
	kb_auto(json) struct kb_json *known = kb_json_object();
	struct kb_buf text = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(facts); i++) {
		const struct kb_json *v = gpu ?
			kb_json_find(gpu, facts[i].name) : NULL;

		if (!v || kb_json_type(v) != facts[i].type)
			return NULL;
		kb_json_set(known, facts[i].name, kb_json_copy(v));
	}
	kb_json_print(&text, known);
	return kb_buf_detach(&text);
}

/* Builds see no device. */
static void set_cuda(struct kb_launcher *l, const struct kb_session_options *o,
		     const struct kb_json *environment, int arch)
{
	free(l->gpu_facts);
	l->gpu_facts = gpu_facts(environment);
	l->cuda = true;
	l->cuda_arch = arch;
	free(l->cuda_visible);
	l->cuda_visible = kb_xstrdup("");
	l->precision = o->precision;
	l->tf32 = o->tf32;
	l->deterministic = o->deterministic;
}

static int set_launcher(struct kb_session *s, const struct kb_json *report,
			struct kb_err *err)
{
	struct kb_launcher *l = &s->machine.launcher;
	const char *why_not;
	int64_t features, arch;
	int ret = kb_json_read_int(&features, report, "features", 0,
				   UINT32_MAX, "lane", err);

	if (ret >= 0)
		ret = kb_json_read_int(&arch, report, "cuda_arch", 0, 10000,
				       "lane", err);
	if (ret >= 0)
		ret = kb_json_read_string_or_null(
			&why_not, report, "other_user_why_not", "lane", err);
	if (ret < 0)
		return ret;
	free(l->other_user_why_not);
	l->other_user_why_not = kb_xstrdup(why_not);
	if (s->machine.gpu.is_cuda)
		set_cuda(l, &s->asked, s->run.conditions.environment,
			 (int)arch);
	kb_launcher_plan_root(l, true);
	l->features = (uint32_t)features;
	return 0;
}

static struct kb_json *part_of(const struct kb_json *report, const char *name)
{
	return kb_json_copy(kb_json_find(report, name));
}

int kb_session_take_report(struct kb_session *s, const struct kb_json *report,
			   struct kb_err *err)
{
	struct kb_conditions *c = &s->run.conditions;

	drop_conditions(c);
	c->environment = part_of(report, "environment");
	c->match_key = part_of(report, "match_key");
	c->policy = part_of(report, "policy");
	c->options = part_of(report, "options");
	return set_launcher(s, report, err);
}

/* Results of several devices are one record, with one match key, so that
 * devices of which it would be wrong are refused before anything is measured. */
static int compare_members(const struct kb_json *first, const struct kb_json *other,
			   const char *name, struct kb_err *err)
{
	for (const struct kb_json *v = kb_json_first(first); v;
	     v = kb_json_next(v))
		if (!kb_json_equal(v, kb_json_find(other, kb_json_key(v))))
			return kb_err(err, KB_ERR_INPUT,
				      "device '%s' is not like the first: "
				      "'%s' differs", name, kb_json_key(v));
	return 0;
}

int kb_session_check_report(const struct kb_session *s,
			    const struct kb_json *report, const char *name,
			    struct kb_err *err)
{
	kb_auto(json) struct kb_json *ours =
		kb_session_asked_policy(s, s->run.conditions.policy);
	kb_auto(json) struct kb_json *theirs = kb_session_asked_policy(
		s, kb_json_find(report, "policy"));
	kb_auto(json) struct kb_json *our_extras =
		kb_session_extras(s, s->run.conditions.environment);
	kb_auto(json) struct kb_json *their_extras =
		kb_session_extras(s, kb_json_find(report, "environment"));
	int ret = compare_members(s->run.conditions.match_key,
				  kb_json_find(report, "match_key"), name, err);

	if (ret >= 0)
		ret = compare_members(our_extras, their_extras, name, err);
	return ret < 0 ? ret : compare_members(ours, theirs, name, err);
}
