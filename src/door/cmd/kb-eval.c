/* kb-eval: build, judge and time the candidates of a submission. */

#include "cmd/cmd.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/terminal.h"
#include "cmd/passed_over.h"
#include "device/division.h"
#include "import/open.h"
#include "import/pack.h"
#include "import/sources.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "runs/eval_run.h"
#include "runs/fits_suite.h"
#include "runs/next_step.h"
#include "runs/profile.h"
#include "session/candidates.h"
#include "session/session.h"
#include "store/quote.h"
#include "tables/evaluation_table.h"
#include "tables/score_table.h"
#include "tables/wide_times.h"

static struct kb_session session = KB_SESSION_INIT;
static const char *submission_name, *baseline_name, *profile_name;

static const struct kb_option options[] = {
	KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE",
			"where kernels run: cpu, cuda:N, cuda:N,cuda:M, cuda:all",
			session.asked.device, .letter = 'd'),
	KB_SESSION_PLACE(MEASUREMENT, "baseline", "BUNDLE",
			 "refuse to start unless this baseline matches",
			 baseline_name, .letter = 'b'),
	KB_SESSION_PLACE(MEASUREMENT, "profile", "EVALUATION",
			 "read a GPU's counters while its correct candidates run,"
			 " untimed", profile_name),
	KB_SESSION_JUDGE_OPTIONS(session.asked),
	KB_SESSION_SCREEN_OPTION(session.asked),
	KB_SESSION_BUILD_OPTIONS(session.asked),
	KB_SESSION_OPTIONS(session.asked),
	KB_OPTION_END
};

static void compare_conditions(struct kb_mismatches *out,
			       const struct kb_baseline *b)
{
	const struct kb_session_run *run = &session.run;
	const struct kb_division d = {
		.left = { &run->conditions, run->selected,
			  run->selected_count },
		.right = { &b->conditions, b->problems, b->problem_count },
		.mode = b->mode,
		.suite = &run->suite,
	};

	kb_division_diff(out, &d);
}

static int check_baseline(struct kb_eval_run *run, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (!baseline_name)
		return 0;
	ret = kb_store_open(&b, session.asked.store, baseline_name, err);
	if (ret >= 0)
		ret = kb_baseline_load(&run->baseline, &b, err);
	if (ret < 0)
		return kb_err_wrap(err, "baseline '%s'", baseline_name);
	if (!kb_digest_equal(&run->baseline.suite, &session.run.bundle.id))
		return kb_err(err, KB_ERR_INPUT,
			      "baseline '%s' is of another suite",
			      baseline_name);
	compare_conditions(&m, &run->baseline);
	if (!m.count)
		return 0;
	kb_score_table_print_mismatches(&text, &m);
	fputs(text.data, stderr);
	return kb_err(err, KB_ERR_INPUT,
		      "baseline '%s' was made under other conditions",
		      baseline_name);
}

/* Whoever asked a model for another type than float32 is to say by which it is
 * judged, in words of the command line, which are recorded. */
static int check_precision(const struct kb_submission *s, struct kb_err *err)
{
	const struct kb_session_options *o = &session.asked;
	const char *made_for = s->provenance.precision;

	if (!made_for || o->precision_is_asked ||
	    !strcmp(made_for, o->precision))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "submission '%s' was made for %s: say --precision %s, or "
		      "--precision %s to judge it by that", submission_name,
		      kb_quote_str(made_for).text, kb_quote_str(made_for).text,
		      o->precision);
}

static int open_submission(struct kb_eval_run *run, struct kb_err *err)
{
	kb_auto(passed_over) struct kb_passed_over over = KB_PASSED_OVER_INIT;
	const struct kb_pack pack = {
		.paths = &submission_name, .count = 1,
		.store = session.asked.store, .passed_over = &over,
	};
	int ret = kb_submission_open_or_pack(&run->bundle, &run->submission,
					     &pack, err);

	if (ret < 0)
		return kb_err_wrap(err, "submission '%s'", submission_name);
	kb_print_passed_over("kb-eval", &over);
	ret = check_precision(&run->submission, err);
	if (ret < 0)
		return ret;
	session.run.has_python = kb_candidates_use(&session, &run->submission,
						   KB_RUNTIME_TORCH);
	return kb_fits_suite(&run->submission, &session.run.suite, err);
}

static int open_run(struct kb_eval_run *run, struct kb_err *err)
{
	int ret = kb_session_prepare(&session, "kb-eval", options, err);

	session.machine.launcher.closed[2] = submission_name;
	if (ret >= 0)
		ret = open_submission(run, err);
	if (ret >= 0)
		ret = kb_eval_run_open(run, err);
	if (ret >= 0)
		ret = check_baseline(run, err);
	return ret;
}

static int write_bundle(struct kb_evaluation *e, struct kb_digest *id,
			struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, session.asked.store, err);

	if (ret >= 0)
		ret = kb_evaluation_write(w, e, err);
	return ret < 0 ? ret : kb_session_commit(&session, w, id, err);
}

static int evaluate_submission(struct kb_eval_run *run, struct kb_digest *id,
			       struct kb_err *err)
{
	struct kb_evaluation *e = &run->evaluation;
	int ret = open_run(run, err);

	if (ret < 0)
		return ret;
	e->suite = session.run.bundle.id;
	e->submission = run->bundle.id;

	const struct kb_digest parents[] = { e->suite, e->submission };

	ret = kb_session_resume(&session, KB_KIND_EVALUATION, parents, err);
	if (ret >= 0)
		ret = kb_eval_run_do(run, err);
	if (ret < 0 || session.asked.shard)
		return ret;
	kb_session_copy_conditions(&session, &e->problems, &e->problem_count,
				   &e->conditions);
	return write_bundle(e, id, err);
}

/* To people; a pipe has the id alone behind the table. */
static void print_first_failure(const struct kb_evaluation *e)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	size_t i = 0;
	char key[KB_KEY_SIZE];

	while (i < e->result_count &&
	       (e->results[i].outcome.status == KB_STATUS_CORRECT ||
		e->results[i].outcome.status == KB_STATUS_MISSING))
		i++;
	if (i == e->result_count || !isatty(STDOUT_FILENO))
		return;
	kb_key_format(key, e->results[i].key);
	kb_next_step_print(&text, session.asked.store, "why the first failed",
			   "show @last:evaluation %s %d", key,
			   e->results[i].sample_id);
	kb_stdout_print(text.data);
}

static int print_evaluation(const struct kb_evaluation *e,
			    const struct kb_digest *id, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf note = KB_BUF_INIT;
	struct kb_wide_times wide;

	kb_evaluation_table_print(&text, e, kb_stdout_look());
	kb_buf_addch(&text, '\n');
	kb_stdout_print(text.data);
	kb_wide_times_of_evaluation(&wide, e);
	kb_wide_times_print(&note, &wide);
	fputs(note.data, stderr);
	print_first_failure(e);
	return kb_made_print(&session.asked.made, session.asked.store,
			     KB_KIND_EVALUATION, id, err);
}

/* A reference that failed says nothing of a candidate, and most likely
 * something of this machine. The bundle stays, with the logs. */
static int check_references(const struct kb_evaluation *e, struct kb_err *err)
{
	const struct kb_result *failed = NULL;
	char key[KB_KEY_SIZE];

	for (size_t i = 0; i < e->result_count; i++) {
		const enum kb_status status = e->results[i].outcome.status;

		if (status == KB_STATUS_REFERENCE_FAILED && !failed)
			failed = &e->results[i];
		else if (status != KB_STATUS_REFERENCE_FAILED &&
			 status != KB_STATUS_MISSING)
			return 0;
	}
	if (!failed)
		return 0;
	kb_key_format(key, failed->key);
	return kb_err(err, KB_ERR_SYS, "no reference can be run here, so that no "
		      "candidate was judged; problem %s: %s; its log is in the "
		      "evaluation", key, failed->outcome.detail ?
			      failed->outcome.detail : "the reference failed");
}

static bool wants_profile(void)
{
	return profile_name;
}

static int profile_evaluation(int argc, struct kb_err *err)
{
	int ret;

	if (argc || baseline_name)
		return kb_err(err, KB_ERR_USAGE,
			      "--profile goes by the evaluation alone: it takes "
			      "no %s", argc ? "SUITE and no SUBMISSION" :
					      "--baseline");
	ret = kb_profile_run(profile_name, &session.asked, options, err);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	struct kb_eval_run run_state = KB_EVAL_RUN_INIT;
	struct kb_digest id;
	int ret;

	if (profile_name)
		return profile_evaluation(argc, err);
	session.asked.suite_name = argv[0];
	session.asked.open_suite = kb_suite_open_or_pack;
	session.say = kb_stderr_say;
	submission_name = argv[1];
	run_state.session = &session;
	ret = evaluate_submission(&run_state, &id, err);
	if (ret >= 0 && session.asked.shard)
		kb_session_say_shard(&session);
	else if (ret >= 0)
		ret = print_evaluation(&run_state.evaluation, &id, err);
	if (ret >= 0 && !session.asked.shard)
		ret = check_references(&run_state.evaluation, err);
	kb_eval_run_release(&run_state);
	kb_session_release(&session);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static const struct kb_verb verbs[] = {
	{ .operands = "SUITE SUBMISSION", .options = options,
	  .without_operands = wants_profile, .run = run },
};

const struct kb_command kb_command = {
	.name = "kb-eval",
	.about = "Build, judge and time the candidates of a submission on this "
		 "machine, and write\nthe evaluation into the store.",
	.example = "kb-eval problems/demo tests/submissions/demo --device cpu",
	.verbs = verbs,
	.verb_count = 1,
	.interrupted = KB_RESUMES,
};
