/* kb-baseline: time the references of a suite on this machine. */

#include "cmd/cmd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "cli/progress.h"
#include "cmd/print_environment.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/device_timing.h"
#include "measure/bench.h"
#include "measure/plan_facts.h"
#include "score/times.h"
#include "session/done.h"
#include "session/journaled.h"
#include "session/session.h"

static struct kb_session session = KB_SESSION_INIT;
static const char *modes = "eager";
static bool print_environment;

static const struct kb_option options[] = {
	KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE",
			"where references run: cpu or cuda:N",
			session.asked.device, .letter = 'd'),
	KB_SESSION_TEXT(MEASUREMENT, "modes", "LIST",
			"how references run, a bundle each: eager,"
			"compile:default,...", modes, .letter = 'm'),
	KB_SESSION_OPTIONS(session.asked),
	{ .group = KB_OPTION_OUTPUT, .name = "print-environment",
	  .help = "print what would be recorded of this machine; no SUITE needed",
	  .type = KB_OPTION_FLAG, .value = &print_environment },
	KB_OPTION_END
};

static const struct kb_former_option former[] = {
	KB_SESSION_FORMER("kb-baseline SUITE"),
	KB_FORMER_END
};

/* One mode's, and how far it is. */
struct baseline_run {
	struct kb_baseline baseline;
	struct kb_journaled journaled;
};

#define RUN_INIT { .baseline = KB_BASELINE_INIT,			\
		   .journaled = KB_JOURNALED_INIT }

static void kb_cleanup_baseline_run(struct baseline_run *run)
{
	kb_cleanup_journaled(&run->journaled);
	kb_baseline_release(&run->baseline);
}

static struct kb_journaled_item
item_of(const struct kb_reference_result *r)
{
	return (struct kb_journaled_item){
		.key = r->key, .status = r->outcome.status,
	};
}

static int take_line(void *context, const struct kb_json *line,
		     const char *path, struct kb_err *err)
{
	struct baseline_run *run = context;
	struct kb_baseline *b = &run->baseline;
	struct kb_journaled_item item;
	struct kb_reference_result r;
	int ret = kb_reference_result_from_json(&r, line, path, err);

	if (ret < 0)
		return ret;
	item = item_of(&r);
	if (kb_journaled_resume(&run->journaled, &item))
		b->results[b->result_count++] = r;
	else
		kb_reference_result_release(&r);
	return 0;
}

static int run_problem(struct kb_reference_result *r,
		       const struct kb_problem *problem, struct kb_err *err)
{
	kb_auto(bench) struct kb_bench bench = KB_BENCH_INIT;
	kb_auto(buf) struct kb_buf source = KB_BUF_INIT;
	struct kb_source code;
	int ret = kb_bundle_read(&source, &session.run.bundle, problem->file,
				 KB_PROBLEM_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	code = (struct kb_source){
		.runtime = problem->runtime, .data = source.data,
		.len = source.len,
	};
	ret = kb_bench_open(&bench, &session.machine.launcher,
			    &session.run.policy, kb_session_gpu(&session),
			    &code, &r->outcome, err);
	if (ret > 0 &&
	    kb_plan_check_facts(&bench.plan, problem,
				kb_precision_find(session.asked.precision),
				err) < 0)
		return -KB_ERR_INPUT;
	return ret <= 0 ? ret : kb_bench_reference(&bench, r, err);
}

/* For people: how it ended, and its times. */
static void describe(struct kb_buf *line, const struct kb_reference_result *r)
{
	const int64_t time_ns = kb_times_median_ns(r->timing);
	const int64_t device_ns = kb_times_median_ns(
		kb_timing_by(KB_CLOCK_DEVICE, NULL, r->device_timing));
	char key[KB_KEY_SIZE], time[KB_DURATION_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addf(line, "%s: %s", key, kb_status_name(r->outcome.status));
	if (r->outcome.detail)
		kb_buf_addf(line, ": %s", r->outcome.detail);
	if (time_ns != KB_UNKNOWN) {
		kb_duration_format(time, time_ns);
		kb_buf_addf(line, " %s", time);
	}
	if (device_ns != KB_UNKNOWN) {
		kb_duration_format(time, device_ns);
		kb_buf_addf(line, ", device %s", time);
	}
}

static int do_problem(struct baseline_run *run, struct kb_key key,
		      struct kb_err *err)
{
	struct kb_baseline *b = &run->baseline;
	struct kb_reference_result *r = &b->results[b->result_count];
	kb_auto(json) struct kb_json *line = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_journaled_item item;
	int ret;

	*r = (struct kb_reference_result)KB_REFERENCE_RESULT_INIT;
	r->key = key;
	r->mode = b->mode;
	ret = run_problem(r, kb_suite_find(&session.run.suite, key), err);
	if (ret < 0) {
		kb_reference_result_release(r);
		return ret;
	}
	b->result_count++;
	item = item_of(r);
	line = kb_reference_result_to_json(r);
	describe(&text, r);
	return kb_journaled_add(&run->journaled, &item, line, "reference",
				text.data, err);
}

static int do_problems(void *context, struct kb_err *err)
{
	struct baseline_run *run = context;
	const struct kb_key *selected = session.run.selected;
	int ret = 0;

	for (size_t i = 0; i < session.run.selected_count && ret >= 0; i++)
		if (kb_session_does(&session, i) &&
		    !kb_done_has(&run->journaled.done, selected[i], 0))
			ret = do_problem(run, selected[i], err);
	return ret;
}

static const struct kb_journaled_work work = {
	.items = "problems", .take = take_line, .make = do_problems,
};

static int write_bundle(struct kb_baseline *b, struct kb_digest *id,
			struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, session.asked.store, err);

	if (ret >= 0)
		ret = kb_baseline_write(w, b, err);
	return ret < 0 ? ret : kb_session_commit(&session, w, id, err);
}

static int make_baseline(enum kb_mode mode, struct kb_digest *id,
			 struct kb_err *err)
{
	kb_auto(baseline_run) struct baseline_run run = RUN_INIT;
	struct kb_baseline *b = &run.baseline;
	int ret;

	session.run.variant = kb_mode_name(mode);
	session.machine.launcher.mode = kb_mode_name(mode);
	ret = kb_session_resume(&session, KB_KIND_BASELINE,
				&session.run.bundle.id, err);
	if (ret < 0)
		return ret;

	b->suite = session.run.bundle.id;
	b->mode = mode;
	b->results = kb_xcalloc(session.run.selected_count, sizeof(*b->results));
	ret = kb_journaled_run(&run.journaled, &session,
			       kb_session_problem_count(&session), &work,
			       &run, err);
	if (ret < 0 || session.asked.shard)
		return ret;
	kb_session_hand_out(&session, &b->problems, &b->problem_count,
			    &b->conditions);
	return write_bundle(b, id, err);
}

/* "eager,compile:default": each at most once. */
static int parse_modes(enum kb_mode list[KB_MODE_COUNT], int *count,
		       struct kb_err *err)
{
	kb_auto(mem) char *copy = kb_xstrdup(modes);
	bool seen[KB_MODE_COUNT] = { false };
	char *save = NULL;

	*count = 0;
	for (char *name = strtok_r(copy, ",", &save); name;
	     name = strtok_r(NULL, ",", &save)) {
		enum kb_mode mode;

		if (kb_mode_parse(&mode, name, err) < 0)
			return kb_err(err, KB_ERR_USAGE,
				      "no mode is called '%s': see "
				      "kb-baseline(1)", name);
		if (seen[mode])
			return kb_err(err, KB_ERR_USAGE,
				      "mode '%s' is there twice", name);
		if (mode != KB_MODE_EAGER &&
		    !strcmp(session.asked.device, "cpu"))
			return kb_err(err, KB_ERR_USAGE,
				      "mode '%s' is for CUDA devices: on the "
				      "CPU there is 'eager'", name);
		seen[mode] = true;
		list[(*count)++] = mode;
	}
	return *count ? 0 : kb_err(err, KB_ERR_USAGE, "no mode given");
}

static void show_environment(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_print_environment(&text, session.run.conditions.environment,
			     session.run.conditions.match_key);
	fputs(text.data, stdout);
}

static int run_session(struct kb_err *err)
{
	enum kb_mode list[KB_MODE_COUNT];
	struct kb_digest id;
	int count, ret;

	ret = parse_modes(list, &count, err);
	if (ret < 0)
		return ret;
	if (count > 1 && session.asked.made.name)
		return kb_err(err, KB_ERR_USAGE,
			      "--name is of one bundle, and --modes '%s' makes "
			      "%d", modes, count);
	session.asked.alternate_trials = 0;	/* there is nobody to catch */
	ret = kb_session_open(&session, "kb-baseline", options, err);
	if (ret >= 0)
		ret = kb_session_note_conditions(&session, print_environment,
						 false, err);
	if (ret < 0)
		return ret;
	if (print_environment) {
		show_environment();
		return 0;
	}
	for (int i = 0; i < count && ret >= 0; i++) {
		ret = make_baseline(list[i], &id, err);
		if (ret >= 0 && !session.asked.shard)
			ret = kb_made_print(&session.asked.made,
					    session.asked.store,
					    KB_KIND_BASELINE, &id, err);
	}
	if (ret >= 0 && session.asked.shard)
		kb_session_print_shard(&session);
	return ret;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	int ret;

	session.asked.suite_name = argc ? argv[0] : NULL;
	ret = run_session(err);
	kb_session_release(&session);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static const struct kb_verb verbs[] = {
	{ .operands = "SUITE", .options = options, .former = former,
	  .without_operands = &print_environment, .run = run },
};

const struct kb_command kb_command = {
	.name = "kb-baseline",
	.about = "Time the references of a suite on this machine, and write "
		 "the baseline into\nthe store.",
	.verbs = verbs,
	.verb_count = 1,
	.can_be_interrupted = true,
};
