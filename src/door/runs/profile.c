#include "runs/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "device/gpm.h"
#include "device/nvml.h"
#include "json/json.h"
#include "manifest/profile.h"
#include "manifest/select.h"
#include "manifest/suite.h"
#include "measure/device_profile.h"
#include "score/times.h"
#include "session/candidates.h"
#include "session/recorded.h"
#include "tables/kernel_table.h"
#include "tables/profile_table.h"

struct profile_run {
	const struct kb_session_options *asked;
	struct kb_bundle bundle;		/* the evaluation's */
	struct kb_recorded recorded;
	struct kb_gpm *gpm;
	const struct kb_result **results;	/* what is profiled; owned */
	size_t count;
	struct kb_profile profile;
};

#define RUN_INIT { .bundle = KB_BUNDLE_INIT,				\
		   .recorded = KB_RECORDED_INIT,			\
		   .profile = KB_PROFILE_INIT }

static void release_run(struct profile_run *run)
{
	kb_profile_release(&run->profile);
	free(run->results);
	kb_gpm_close(run->gpm);
	kb_recorded_release(&run->recorded);
	kb_bundle_release(&run->bundle);
}

/* --- what may be asked for --------------------------------------------- */

/* Options that name places and problems, not settings. */
static const char *const ours[] = { "cc", "device", "levels", "nvcc",
				    "problems", "python", "store", "weights" };

static bool is_ours(const char *name)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(ours); i++)
		if (!strcmp(ours[i], name))
			return true;
	return false;
}

static bool is_same(const struct kb_option *a, const struct kb_option *b)
{
	switch (a->type) {
	case KB_OPTION_FLAG:
		return *(const bool *)a->value == *(const bool *)b->value;
	case KB_OPTION_STRING:
		return kb_text_equal(*(const char *const *)a->value,
				     *(const char *const *)b->value);
	case KB_OPTION_INT:
		return *(const int64_t *)a->value == *(const int64_t *)b->value;
	default:
		KB_BUG("a session has no such option");
	}
}

static const struct kb_option *find_option(const struct kb_option options[],
					   const char *name)
{
	for (; options->name; options++)
		if (!strcmp(options->name, name))
			return options;
	KB_BUG("kb-eval lacks an option of all sessions");
}

static int check_options(const struct kb_option options[], struct kb_err *err)
{
	struct kb_session_options plain = KB_SESSION_OPTIONS_INIT;
	const struct kb_option table[] = {
		KB_SESSION_JUDGE_OPTIONS(plain), KB_SESSION_BUILD_OPTIONS(plain),
		KB_SESSION_SCREEN_OPTION(plain),
		KB_SESSION_OPTIONS(plain), KB_OPTION_END
	};

	for (const struct kb_option *o = table; o->name; o++)
		if (!is_ours(o->name) && !is_same(o, find_option(options, o->name)))
			return kb_err(err, KB_ERR_USAGE,
				      "option '--%s' is not for --profile, which "
				      "goes by the evaluation's record", o->name);
	return 0;
}

/* --- what there is to do ----------------------------------------------- */

static int open_evaluation(struct profile_run *run, const char *name,
			   struct kb_err *err)
{
	struct kb_recorded *r = &run->recorded;
	const char *store = run->asked->store;
	int ret = kb_store_open(&run->bundle, store, name, err);

	if (ret >= 0)
		ret = kb_evaluation_load(&r->evaluation, &run->bundle, err);
	if (ret >= 0)
		ret = kb_recorded_open_parents(r, store, err);
	return ret < 0 ? kb_err_wrap(err, "evaluation '%s'", name) : 0;
}

static bool has_key(const struct kb_key keys[], size_t count, struct kb_key key)
{
	for (size_t i = 0; i < count; i++)
		if (!kb_key_compare(keys[i], key))
			return true;
	return false;
}

static int choose_results(struct profile_run *run, struct kb_err *err)
{
	const struct kb_evaluation *e = &run->recorded.evaluation;
	kb_auto(mem) struct kb_key *keys = NULL;
	size_t count;
	int ret = kb_select(&keys, &count, &run->recorded.session.run.suite,
			    run->asked->problem_list, run->asked->level_list,
			    err);

	if (ret < 0)
		return ret;
	run->results = kb_xcalloc(e->result_count + 1, sizeof(*run->results));
	for (size_t i = 0; i < e->result_count; i++)
		if (e->results[i].outcome.status == KB_STATUS_CORRECT &&
		    has_key(keys, count, e->results[i].key))
			run->results[run->count++] = &e->results[i];
	if (!run->count)
		return kb_err(err, KB_ERR_INPUT,
			      "none of these candidates of the evaluation is "
			      "correct");
	return 0;
}

static int open_session(struct profile_run *run, struct kb_err *err)
{
	const struct kb_session_options *a = run->asked;
	struct kb_session *s = &run->recorded.session;
	const struct kb_recorded_asked asked = {
		/* The default of the table is not what a record says. */
		.store = a->store,
		.device = strcmp(a->device, "cpu") ? a->device : NULL,
		.python = a->python, .cc = a->cc, .nvcc = a->nvcc,
		.weights = a->weights,
	};
	int ret;

	s->say = kb_stderr_say;
	ret = kb_recorded_open_session(&run->recorded, "kb-eval", &asked,
					   err);

	if (ret < 0)
		return ret;
	if (!s->machine.gpu.is_cuda)
		return kb_err(err, KB_ERR_INPUT,
			      "a profile is of a GPU, and the evaluation was "
			      "made without one");
	if (s->run.suite.world > 1)
		return kb_err(err, KB_ERR_INPUT,
			      "a profile is of one GPU, and the evaluation's "
			      "suite is of %d ranks", s->run.suite.world);
	if (!s->machine.gpu.gpu.nvml)
		return kb_err(err, KB_ERR_MISSING, "%s",
			      s->machine.gpu.why_no_nvml);
	return kb_gpm_open(&run->gpm, s->machine.gpu.gpu.nvml, err);
}

/* --- the candidates ---------------------------------------------------- */

static void note_item(struct kb_profile_item *item, struct kb_result *now,
		      struct kb_device_profile *p)
{
	item->key = now->key;
	item->sample_id = now->sample_id;
	item->candidate = now->candidate;
	item->status = now->outcome.status;
	item->detail = kb_steal(now->outcome.detail);
	if (item->status != KB_STATUS_CORRECT)
		return;
	item->batch_calls = p->batch_calls;
	item->intervals = kb_steal(p->intervals);
	item->interval_count = p->count;
	item->kernels = kb_steal(p->kernels);
}

static char *line_of(const struct kb_profile_item *i)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, i->key);
	return kb_xasprintf("%s sample %d: %s, %zu intervals", key,
			    i->sample_id, kb_status_name(i->status),
			    i->interval_count);
}

static int do_candidate(struct profile_run *run, struct kb_problem_bench *p,
			const struct kb_result *then,
			struct kb_progress *progress, struct kb_err *err)
{
	const struct kb_candidate *c =
		kb_recorded_candidate(&run->recorded, then);
	kb_auto(result) struct kb_result now = KB_RESULT_INIT;
	kb_auto(json) struct kb_json *event = kb_json_object();
	kb_auto(mem) char *line = NULL;
	struct kb_device_profile profile = { .gpm = run->gpm };
	struct kb_profile_item *item;
	int ret;

	if (!c)
		return kb_err(err, KB_ERR_INPUT,
			      "its submission lacks a candidate");
	ret = kb_problem_bench_profile(p, &now, &run->recorded.bundle, c,
				       &profile, err);
	if (ret >= 0) {
		item = &run->profile.items[run->profile.item_count++];
		note_item(item, &now, &profile);
		line = line_of(item);
		kb_progress_item(progress, item->status, line, event);
	}
	kb_device_profile_release(&profile);
	return ret;
}

/* One problem's candidates lie together. */
static int do_problem(struct profile_run *run, size_t *i,
		      struct kb_progress *progress, struct kb_err *err)
{
	kb_auto(problem_bench) struct kb_problem_bench p =
		KB_PROBLEM_BENCH_INIT;
	const struct kb_key key = run->results[*i]->key;
	int ret = kb_problem_bench_open(&p, &run->recorded.session, key, err);

	while (ret >= 0 && *i < run->count &&
	       !kb_key_compare(run->results[*i]->key, key))
		ret = do_candidate(run, &p, run->results[(*i)++], progress,
				   err);
	return ret;
}

static int do_all(struct profile_run *run, struct kb_err *err)
{
	struct kb_progress progress;
	size_t i = 0;
	int ret = kb_progress_begin(&progress, run->count, NULL, err);

	run->profile.items = kb_xcalloc(run->count,
					sizeof(*run->profile.items));
	while (ret >= 0 && i < run->count)
		ret = do_problem(run, &i, &progress, err);
	kb_progress_end(&progress);
	return ret;
}

static void note_conditions(struct profile_run *run)
{
	const struct kb_session *s = &run->recorded.session;
	struct kb_profile *p = &run->profile;
	struct kb_buf version = KB_BUF_INIT;

	p->evaluation = run->bundle.id;
	p->tool = kb_json_copy(s->run.conditions.tool);
	p->match_key = kb_json_copy(s->run.conditions.match_key);
	p->counters = kb_xstrdup("NVML GPM");
	if (kb_nvml_text(s->machine.gpu.gpu.nvml, KB_NVML_LIBRARY_VERSION,
			 &version, NULL) >= 0)
		p->counters_version = kb_buf_detach(&version);
	kb_buf_release(&version);
}

/* A share of the evaluation's time. The reference that was timed with the
 * candidate is the baseline, as on the page of an evaluation. */
static struct kb_profile_share share_of(const struct profile_run *run,
					const struct kb_ceiling *ceiling,
					const struct kb_result *r)
{
	const struct kb_problem *problem = kb_suite_find(
		&run->recorded.session.run.suite, r->key);
	const struct kb_session_times t = kb_session_times_of(
		r, kb_evaluation_clock(&run->recorded.evaluation));

	return kb_profile_share_of(
		kb_ceiling_bound(ceiling, problem ? problem->facts : NULL,
				 kb_device_timing_sm_clock_mhz(
					 r->device_timing)),
		t.candidate ? t.candidate->time_ns : KB_UNKNOWN,
		t.reference ? t.reference->time_ns : KB_UNKNOWN);
}

/* There is an item for each result, in the same order. */
static void print_profile(struct kb_buf *out, const struct profile_run *run)
{
	kb_auto(mem) struct kb_profile_share *shares =
		kb_xcalloc(run->count, sizeof(*shares));
	struct kb_ceiling ceiling;

	kb_ceiling_of(&ceiling, &run->recorded.evaluation.conditions);
	for (size_t i = 0; i < run->count; i++)
		shares[i] = share_of(run, &ceiling, run->results[i]);
	kb_profile_table_print(out, &run->profile, shares, kb_stdout_look());
	kb_buf_addch(out, '\n');
	kb_kernel_table_print(out, &run->profile, kb_stdout_look());
}

static int finish_profile(struct profile_run *run, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(mem) char *path = NULL;
	int ret;

	note_conditions(run);
	ret = kb_profile_write(&path, &run->bundle, &run->profile, err);
	if (ret < 0)
		return ret;
	print_profile(&text, run);
	kb_stdout_print(text.data);
	printf("\n%s\n", path);
	return 0;
}

int kb_profile_run(const char *name, const struct kb_session_options *asked,
		   const struct kb_option options[], struct kb_err *err)
{
	struct profile_run run = RUN_INIT;
	int ret;

	run.asked = asked;
	ret = check_options(options, err);
	if (ret >= 0)
		ret = open_evaluation(&run, name, err);
	if (ret >= 0)
		ret = open_session(&run, err);
	if (ret >= 0)
		ret = choose_results(&run, err);
	if (ret >= 0)
		ret = do_all(&run, err);
	if (ret >= 0)
		ret = finish_profile(&run, err);
	release_run(&run);
	return ret;
}
