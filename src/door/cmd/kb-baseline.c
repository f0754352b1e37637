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
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cmd/print_environment.h"
#include "crew/baseline_lane.h"
#include "crew/crew.h"
#include "import/open.h"
#include "manifest/baseline.h"
#include "manifest/device_timing.h"
#include "score/times.h"
#include "session/done.h"
#include "session/journaled.h"
#include "session/session.h"
#include "source/runtime.h"
#include "tables/wide_times.h"

static struct kb_session session = KB_SESSION_INIT;
static const char *modes = "eager", *earlier_name;
static bool print_environment;

static const struct kb_option options[] = {
	KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE",
			"where references run: cpu, cuda:N, cuda:N,cuda:M, "
			"cuda:all", session.asked.device, .letter = 'd'),
	KB_SESSION_PLACE(MEASUREMENT, "baseline", "BUNDLE",
			 "begin with this earlier baseline's slowest problems",
			 earlier_name, .letter = 'b'),
	KB_SESSION_TEXT(MEASUREMENT, "modes", "LIST",
			"how references run, a bundle each: eager,"
			"compile:default,...", modes, .letter = 'm'),
	KB_SESSION_TEXT(MEASUREMENT, "seeds", "LIST",
			"seed of the weights (further seeds are ignored)",
			session.asked.seed_list),
	KB_SESSION_BUILD_OPTIONS(session.asked),
	KB_SESSION_OPTIONS(session.asked),
	{ .group = KB_OPTION_OUTPUT, .name = "print-environment",
	  .help = "print the conditions on this machine, without a SUITE",
	  .type = KB_OPTION_FLAG, .value = &print_environment },
	KB_OPTION_END
};

/* One mode's, and how far it is. */
struct baseline_run {
	const struct kb_baseline *earlier;	/* borrowed; empty if none was
						   named */
	struct kb_baseline baseline;
	struct kb_journaled journaled;
	struct kb_crew crew;
	struct kb_baseline_lane lane;
};

#define RUN_INIT { .baseline = KB_BASELINE_INIT,			\
		   .journaled = KB_JOURNALED_INIT, .crew = KB_CREW_INIT }

static void kb_cleanup_baseline_run(struct baseline_run *run)
{
	kb_crew_close(&run->crew);
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

/* For people: how it ended, and its times. */
static void describe_result(struct kb_buf *line, const struct kb_reference_result *r)
{
	const int64_t time_ns = kb_times_median_ns(r->timing);
	const int64_t device_ns = kb_times_median_ns(
		kb_device_time(r->device_timing));
	char key[KB_KEY_SIZE], time[KB_DURATION_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addf(line, "%s: %s", key, kb_status_name(r->outcome.status));
	if (time_ns != KB_UNKNOWN) {
		kb_duration_format(time, time_ns);
		kb_buf_addf(line, " %s", time);
	}
	if (device_ns != KB_UNKNOWN) {
		kb_duration_format(time, device_ns);
		kb_buf_addf(line, ", device %s", time);
	}
	if (r->outcome.detail)
		kb_buf_addf(line, ": %s", r->outcome.detail);
}

static int take_said(void *context, const struct kb_job *job, size_t device,
		     const struct kb_json *said, struct kb_err *err)
{
	struct baseline_run *run = context;
	struct kb_baseline *b = &run->baseline;
	struct kb_reference_result *r = &b->results[b->result_count];
	const char *id = kb_crew_device_id(&run->crew, device);
	kb_auto(json) struct kb_json *line = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_journaled_item item;
	const struct kb_problem *p;
	int ret = kb_reference_result_from_json(r, said, "a lane", err);

	if (ret < 0)
		return ret;
	b->result_count++;
	r->measured_on = kb_xstrdup(id);
	p = kb_suite_find(&session.run.suite, job->key);
	kb_build_add_time(kb_crew_find_build(&run->crew, job, p->runtime,
					     &p->digest), &r->outcome);
	item = item_of(r);
	line = kb_reference_result_to_json(r);
	describe_result(&text, r);
	return kb_journaled_add(&run->journaled, &item, line, "reference",
				text.data, err);
}

static void add_job(struct baseline_run *run, struct kb_key key)
{
	const struct kb_problem *p = kb_suite_find(&session.run.suite, key);
	const struct kb_reference_result *earlier =
		kb_baseline_find(run->earlier, key);
	struct kb_crew *c = &run->crew;
	struct kb_job *job = kb_jobs_add(
		&c->jobs,
		kb_jobs_add_group(&c->jobs, key, kb_times_median_ns(
					  earlier ? earlier->timing : NULL)),
		0, 1);

	if (c->builders && p->runtime != KB_RUNTIME_TORCH)
		job->builds[job->build_count++] = kb_builds_add(
			&c->builds, &(const struct kb_code_file){
				.runtime = p->runtime, .digest = p->digest,
				.bundle = &session.run.bundle, .file = p->file,
				.bytes_max = KB_PROBLEM_BYTES_MAX,
			}, NULL);
}

static int do_problems(void *context, struct kb_err *err)
{
	struct baseline_run *run = context;
	const struct kb_key *selected = session.run.selected;

	for (size_t i = 0; i < session.run.selected_count; i++)
		if (kb_session_owns_problem(&session, i) &&
		    !kb_done_has(&run->journaled.done, selected[i], 0))
			add_job(run, selected[i]);
	kb_jobs_sort(&run->crew.jobs);
	return kb_crew_run(&run->crew, err);
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

static void say_wide_times(const struct kb_baseline *b)
{
	kb_auto(buf) struct kb_buf note = KB_BUF_INIT;
	struct kb_wide_times wide;

	kb_wide_times_of_baseline(&wide, b);
	kb_wide_times_print(&note, &wide);
	fputs(note.data, stderr);
}

static bool has_times(const struct kb_baseline *b)
{
	for (size_t i = 0; i < b->result_count; i++)
		if (b->results[i].outcome.status == KB_STATUS_TIMED)
			return true;
	return !b->result_count;
}

/* Each mode has lanes of its own: they know it when they are started. Returns 1;
 * 0 if no reference could be timed, which is written all the same; or fails. */
static int make_baseline(enum kb_mode mode, const struct kb_baseline *earlier,
			 bool is_first, struct kb_digest *id,
			 struct kb_err *err)
{
	kb_auto(baseline_run) struct baseline_run run = RUN_INIT;
	struct kb_baseline *b = &run.baseline;
	int ret;

	session.run.mode = mode;
	session.machine.launcher.mode = kb_mode_name(mode);
	session.machine.launcher.modules =
		kb_mode_compiles(mode) ? 1u << KB_MODULE_INDUCTOR : 0;
	run.earlier = earlier;
	run.crew.is_quiet = !is_first;
	b->mode = mode;
	run.lane = (struct kb_baseline_lane){ .session = &session, .mode = mode };
	ret = kb_crew_open(&run.crew, &session, &(struct kb_crew_work){
			.kind = &kb_baseline_lane_kind, .lane = &run.lane,
			.take = take_said, .context = &run,
			.progress = &run.journaled.progress,
		}, err);
	if (ret >= 0)
		ret = kb_session_resume(&session, KB_KIND_BASELINE,
					&session.run.bundle.id, err);
	if (ret < 0)
		return ret;

	b->suite = session.run.bundle.id;
	b->results = kb_xcalloc(session.run.selected_count,
				sizeof(*b->results));
	ret = kb_journaled_run(&run.journaled, &session,
			       kb_session_problem_count(&session), &work,
			       &run, err);
	if (ret < 0 || session.asked.shard)
		return kb_err_or_1(ret);
	kb_session_copy_conditions(&session, &b->problems, &b->problem_count,
				   &b->conditions);
	say_wide_times(b);
	ret = write_bundle(b, id, err);
	return ret < 0 ? ret : has_times(b);
}

static int unknown_mode(const char *name, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	for (int m = 0; m < KB_MODE_COUNT; m++)
		kb_buf_addf(&names, "%s%s", m ? ", " : "",
			    kb_mode_name((enum kb_mode)m));
	return kb_err(err, KB_ERR_USAGE, "no mode is called '%s', there are: %s",
		      name, names.data);
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
			return unknown_mode(name, err);
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
	return *count ? 0 : kb_err(err, KB_ERR_USAGE, "--modes is empty: name "
				  "one, such as eager");
}

static int show_environment(struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_session_open(&session, "kb-baseline", options, err);

	if (ret >= 0)
		ret = kb_session_note_conditions(&session, true, false, err);
	if (ret < 0)
		return ret;
	kb_print_environment(&text, session.run.conditions.environment,
			     session.run.conditions.match_key);
	fputs(text.data, stdout);
	return 0;
}

static int open_earlier(struct kb_baseline *earlier, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret;

	if (!earlier_name)
		return 0;
	ret = kb_store_open(&b, session.asked.store, earlier_name, err);
	if (ret >= 0)
		ret = kb_baseline_load(earlier, &b, err);
	return ret < 0 ? kb_err_wrap(err, "baseline '%s'", earlier_name) : 0;
}

static int run_session(struct kb_err *err)
{
	enum kb_mode list[KB_MODE_COUNT];
	kb_auto(baseline) struct kb_baseline earlier = KB_BASELINE_INIT;
	struct kb_digest id;
	bool lacks_times = false;
	int count, ret;

	ret = parse_modes(list, &count, err);
	if (ret < 0)
		return ret;
	if (count > 1 && session.asked.made.name)
		return kb_err(err, KB_ERR_USAGE,
			      "--name is of one bundle, and --modes '%s' makes "
			      "%d", modes, count);
	session.asked.one_seed = true;
	/* These are for candidates. */
	session.asked.alternate_trials = session.asked.slow_factor = 0;
	if (print_environment)
		return show_environment(err);
	ret = kb_session_prepare(&session, "kb-baseline", options, err);
	if (ret >= 0)
		ret = open_earlier(&earlier, err);
	for (int i = 0; i < count && ret >= 0; i++) {
		ret = make_baseline(list[i], &earlier, i == 0, &id, err);
		lacks_times |= !ret;
		if (ret >= 0 && !session.asked.shard)
			ret = kb_made_print(&session.asked.made,
					    session.asked.store,
					    KB_KIND_BASELINE, &id, err);
	}
	if (ret >= 0 && session.asked.shard)
		kb_session_say_shard(&session);
	else if (ret >= 0 && lacks_times)
		return kb_err(err, KB_ERR_SYS, "no reference can be run here, so "
			      "that nothing was timed; the logs are in the "
			      "baseline");
	return ret;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	int ret;

	session.asked.suite_name = argc ? argv[0] : NULL;
	session.asked.open_suite = kb_suite_open_or_pack;
	session.say = kb_stderr_say;
	ret = run_session(err);
	kb_session_release(&session);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static bool wants_environment(void)
{
	return print_environment;
}

static const struct kb_verb verbs[] = {
	{ .operands = "SUITE", .options = options,
	  .without_operands = wants_environment, .run = run },
};

const struct kb_command kb_command = {
	.name = "kb-baseline",
	.about = "Time the references of a suite on this machine, and write "
		 "the baseline into\nthe store.",
	.example = "kb-baseline problems/demo --device cpu",
	.verbs = verbs,
	.verb_count = 1,
	.interrupted = KB_RESUMES,
};
