/* kb-audit: what are the problems of a suite worth as measurements? */

#include "cmd/cmd.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/gather.h"
#include "audit/judge.h"
#include "audit/reduced.h"
#include "audit/verdicts.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "cmd/audit_anew.h"
#include "crew/audit_lane.h"
#include "crew/crew.h"
#include "crew/shown.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "session/done.h"
#include "session/isolation.h"
#include "session/journaled.h"
#include "session/session.h"
#include "store/digest.h"
#include "tables/audit_table.h"

static struct kb_session session = KB_SESSION_INIT;
static const char *reduced_path, *verdicts_path;
static int64_t jobs = 1, operations = 200, budget_s = 60, timeout_s = 600;
static bool print_evidence;

#define EVIDENCE_OPTIONS						\
	{ .group = KB_OPTION_OUTPUT, .name = "evidence", .letter = 'e',	\
	  .help = "print the numbers behind the findings, too",		\
	  .type = KB_OPTION_FLAG, .value = &print_evidence },		\
	KB_SESSION_PLACE(OUTPUT, "verdicts", "FILE",			\
			"write the verdicts to FILE as JSON, too",	\
			verdicts_path)

static const struct kb_option options[] = {
	KB_SESSION_TEXT(PROBLEMS, "problems", "LIST",
			"only these problems: 1/19,2/76, or sound",
			session.asked.problem_list, .letter = 'p'),
	KB_SESSION_TEXT(PROBLEMS, "levels", "LIST",
			"only problems of these levels, such as 1,2",
			session.asked.level_list, .letter = 'l'),
	KB_SESSION_TEXT(PROBLEMS, "reduced", "FILE",
			"audit smaller problems: values to set in each, as JSON",
			reduced_path),
	KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE",
			"where problems run: cpu, cuda:N, cuda:N,cuda:M, "
			"cuda:all", session.asked.device, .letter = 'd'),
	KB_SESSION_INT(MEASUREMENT, "operations", "N",
		       "operations to leave out of a problem in turn, at most",
		       operations, 0, 100000),
	KB_SESSION_INT(MEASUREMENT, "budget", "S",
		       "seconds for that on each kind of input", budget_s, 0,
		       1000000),
	KB_SESSION_INT(MEASUREMENT, "seed", "N", "seed of the weights",
		       session.asked.seed, 0, KB_WEIGHTS_SEED_MAX),
	KB_SESSION_TEXT(MEASUREMENT, "tolerance", "POLICY",
			"what counts as the same output: kernelbench or paper",
			session.asked.tolerance),
	KB_SESSION_INT(MEASUREMENT, "threads", "N",
		       "CPU threads of a problem's process",
		       session.asked.threads, 1, 4096,
		       .otherwise = "all cores granted"),
	KB_SESSION_INT(LIMITS, "jobs", "N", "problems at a time on a device",
		       jobs, 1, 64, .letter = 'j'),
	KB_SESSION_INT(LIMITS, "timeout", "S",
		       "seconds that a problem may take", timeout_s, 1,
		       1000000),
	KB_SESSION_INT(LIMITS, "memory-mib", "N",
		       "MiB of memory of a problem's process",
		       session.asked.memory_mib, 1, 1 << 30,
		       .otherwise = "3/4 of all memory"),
	KB_SESSION_INT(LIMITS, "log-kib", "N",
		       "KiB that a problem may print",
		       session.asked.log_kib, 4, 1 << 20),
	KB_SESSION_SANDBOX(session.asked.sandbox),
	KB_SESSION_PYTHON(session.asked.python),
	EVIDENCE_OPTIONS,
	KB_SESSION_PLACE(OUTPUT, "salt-file", "FILE",
			"record GPU ids as hashes, with this file's first line",
			session.asked.salt_file),
	KB_SESSION_PLACE(OUTPUT, "events", "FILE",
			"append progress to FILE as JSON lines",
			session.asked.events),
	KB_SESSION_PLACE(OUTPUT, "store", "DIR", "where bundles are and go",
			session.asked.store),
	KB_MADE_OPTIONS(session.asked.made),
	KB_OPTION_END
};

static const struct kb_option again_options[] = {
	EVIDENCE_OPTIONS,
	KB_SESSION_PLACE(OUTPUT, "store", "DIR",
			"where audits and their suites are",
			session.asked.store),
	KB_OPTION_END
};

static const struct kb_former_option former[] = {
	{ "suite", 's', "is now an operand: kb-audit SUITE" },
	{ .name = "seeds",
	  .now = "is called '--seed' here: problems are audited under one" },
	KB_FORMER_STORE_LETTER,
	KB_FORMER_END
};

/* One run, and what was found so far. */
struct audit_run {
	struct kb_audit audit;
	struct kb_journaled journaled;
	struct kb_buf reduced;
	struct kb_gather_options gather;
	struct kb_crew crew;
	struct kb_key *again;		/* problems that lacked memory beside
					   others; owned */
	size_t again_count;
};

#define RUN_INIT { .audit = KB_AUDIT_INIT, .reduced = KB_BUF_INIT, \
		   .journaled = KB_JOURNALED_INIT, .crew = KB_CREW_INIT }

static void release_run(struct audit_run *run)
{
	kb_crew_close(&run->crew);
	kb_buf_release(&run->reduced);
	kb_cleanup_journaled(&run->journaled);
	kb_audit_release(&run->audit);
	free(run->again);
}

static int read_reduced(struct audit_run *run, struct kb_err *err)
{
	int ret;

	if (!reduced_path)
		return 0;
	ret = kb_file_read(&run->reduced, AT_FDCWD, reduced_path,
			   KB_REDUCED_BYTES_MAX, err);
	return ret < 0 ? ret : kb_reduced_check(run->reduced.data,
						run->reduced.len,
						reduced_path, err);
}

/* It is written when all is done: what can be known of it is known before. */
static int check_verdicts(struct kb_err *err)
{
	const char *path = verdicts_path;
	const char *slash = path ? strrchr(path, '/') : NULL;
	kb_auto(mem) char *dir = NULL;

	if (!path)
		return 0;
	/* With its slash: a file at the root is below "/". */
	dir = slash ? kb_xstrndup(path, (size_t)(slash - path) + 1)
		    : kb_xstrdup(".");
	if (access(dir, W_OK) < 0)
		return kb_err_sys(err, "cannot write '%s'", path);
	return 0;
}

/* Everything that the evidence depends on, beside the environment. */
static struct kb_json *policy_record(const struct audit_run *run)
{
	const struct kb_launcher *l = &session.machine.launcher;
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "tolerance", session.asked.tolerance);
	kb_json_set_int(v, "weights_seed", session.asked.seed);
	kb_json_set_int(v, "operations", operations);
	kb_json_set_int(v, "budget_ns", budget_s * KB_NS_PER_S);
	kb_json_set_int(v, "timeout_ns", timeout_s * KB_NS_PER_S);
	kb_json_set_int(v, "memory_bytes", (int64_t)l->memory_bytes);
	kb_json_set_int(v, "log_limit_bytes", (int64_t)l->log_limit_bytes);
	kb_json_set_int(v, "threads", l->threads);
	kb_session_record_sandbox(v, &session);
	if (reduced_path) {
		char hex[KB_DIGEST_HEX_SIZE];
		struct kb_digest d;

		kb_digest_of(&d, run->reduced.data, run->reduced.len);
		kb_digest_format(&d, hex);
		kb_json_set_string(v, "reduced_sha256", hex);
	}
	return v;
}

/* --- in a lane --------------------------------------------------------- */

static int note_conditions(void *context, struct kb_err *err)
{
	const struct audit_run *run = context;
	int ret = kb_session_note_conditions(&session, false, false, err);

	if (ret < 0)
		return ret;
	kb_json_free(session.run.conditions.policy);
	session.run.conditions.policy = policy_record(run);
	return 0;
}

static int do_job(void *context, struct kb_key key,
		  const struct kb_json *samples, int fd, struct kb_err *err)
{
	const struct audit_run *run = context;

	(void)samples;
	return kb_audit_lane_do_job(&session, &run->gather, key, fd, err);
}

/* A problem's process is started for that problem, and takes what memory there
 * is from others. */
static int warm(void *context, struct kb_key key,
		const struct kb_json *samples, struct kb_err *err)
{
	(void)context;
	(void)key;
	(void)samples;
	(void)err;
	return 0;
}

static void leave(void *context)
{
	(void)context;
}

/* --- what is to be done ------------------------------------------------ */

static struct kb_journaled_item item_of(const struct kb_audit_line *l)
{
	return (struct kb_journaled_item){
		.key = l->key, .status = l->outcome.status,
	};
}

static int take_line(void *context, const struct kb_json *line,
		     const char *path, struct kb_err *err)
{
	struct audit_run *run = context;
	struct kb_journaled_item item;
	struct kb_audit_line l;
	int ret = kb_audit_line_from_json(&l, line, path, err);

	if (ret < 0)
		return ret;
	item = item_of(&l);
	/* There is room for one line a problem. */
	if (kb_journaled_resume(&run->journaled, &item))
		run->audit.lines[run->audit.line_count++] = l;
	else
		kb_audit_line_release(&l);
	return 0;
}

/* For people: is it sound, and what is the matter with it? */
static void describe(struct kb_buf *text, const struct kb_audit_line *l)
{
	char key[KB_KEY_SIZE];
	int count = 0;

	kb_key_format(key, l->key);
	kb_buf_addf(text, "%s: ", key);
	if (!l->evidence) {
		kb_buf_addf(text, "not audited: %s%s%s",
			    kb_status_name(l->outcome.status),
			    l->outcome.detail ? ": " : "",
			    l->outcome.detail ? l->outcome.detail : "");
		return;
	}
	kb_buf_addstr(text, kb_findings_sound(&l->findings) ? "sound"
							    : "not sound");
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		if (l->findings.evidence[i])
			kb_buf_addf(text, "%s %s", count++ ? "," : ":",
				    kb_finding_name((enum kb_finding)i));
}

/* Takes the line over. */
static int finish(struct audit_run *run, struct kb_audit_line *l,
		  struct kb_err *err)
{
	struct kb_audit_line *kept = &run->audit.lines[run->audit.line_count++];
	const struct kb_journaled_item item = item_of(l);
	kb_auto(json) struct kb_json *line = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	*kept = *l;
	*l = (struct kb_audit_line)KB_AUDIT_LINE_INIT;
	line = kb_audit_line_to_json(kept);
	describe(&text, kept);
	return kb_journaled_add(&run->journaled, &item, line, "problem",
				text.data, err);
}

static int take_said(void *context, const struct kb_job *job, size_t device,
		     const struct kb_json *said, struct kb_err *err)
{
	struct audit_run *run = context;
	kb_auto(audit_line) struct kb_audit_line l = KB_AUDIT_LINE_INIT;
	int ret = kb_audit_line_from_json(&l, said, "a lane", err);

	(void)device;
	if (ret < 0)
		return ret;
	if (!run->crew.is_single && run->crew.member_count > 1 &&
	    kb_audit_lacked_memory(&l)) {
		run->again[run->again_count++] = job->key;
		return 0;
	}
	return finish(run, &l, err);
}

static int move(void *context, const struct kb_job *job, enum kb_stage from,
		enum kb_stage to, size_t device, struct kb_err *err)
{
	struct audit_run *run = context;

	(void)err;
	if (from == KB_STAGE_TIMING || to == KB_STAGE_TIMING)
		kb_crew_show_device(&run->crew, &run->journaled.progress, job,
				    device, to == KB_STAGE_TIMING);
	return 0;
}

static int take_out(void *context, size_t device, const char *reason,
		    const char *key, struct kb_err *err)
{
	struct audit_run *run = context;

	return kb_crew_show_taken_out(&run->crew, &run->journaled.progress,
				      device, reason, key, err);
}

static const struct kb_crew_work crew_work = {
	.note_conditions = note_conditions, .do_job = do_job, .warm = warm,
	.leave = leave, .take = take_said, .move = move, .take_out = take_out,
};

static void add_job(struct audit_run *run, struct kb_key key)
{
	struct kb_jobs *jobs_to_do = &run->crew.jobs;

	(void)kb_jobs_add(jobs_to_do,
			  kb_jobs_add_group(jobs_to_do, key, KB_UNKNOWN), 0, 0);
}

/* By one lane, and nothing beside it. */
static int do_again(struct audit_run *run, struct kb_err *err)
{
	struct kb_crew *c = &run->crew;
	int ret;

	if (!run->again_count)
		return 0;
	kb_crew_close(c);
	*c = (struct kb_crew)KB_CREW_INIT;
	c->is_single = c->is_quiet = true;
	ret = kb_crew_open(c, &session, &crew_work, run, err);
	for (size_t i = 0; i < run->again_count; i++)
		add_job(run, run->again[i]);
	return ret < 0 ? ret : kb_crew_run(c, err);
}

static int do_problems(void *context, struct kb_err *err)
{
	struct audit_run *run = context;
	int ret;

	for (size_t i = 0; i < session.run.selected_count; i++)
		if (!kb_done_has(&run->journaled.done, session.run.selected[i],
				 0))
			add_job(run, session.run.selected[i]);
	ret = kb_crew_run(&run->crew, err);
	return ret < 0 ? ret : do_again(run, err);
}

static const struct kb_journaled_work work = {
	.items = "problems", .take = take_line, .make = do_problems,
};

static int write_bundle(struct kb_audit *a, struct kb_digest *id,
			struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, session.asked.store, err);

	if (ret >= 0)
		ret = kb_audit_write(w, a, err);
	return ret < 0 ? ret : kb_session_commit(&session, w, id, err);
}

static int write_verdicts(const struct kb_json *verdicts, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_json_print(&text, verdicts);
	kb_buf_addch(&text, '\n');
	return kb_file_replace(AT_FDCWD, verdicts_path, text.data, text.len,
			       0666, err);
}

static int open_run(struct audit_run *run, struct kb_err *err)
{
	int ret = read_reduced(run, err);

	if (ret >= 0)
		ret = check_verdicts(err);
	if (ret >= 0)
		ret = kb_session_prepare(&session, "kb-audit", options, err);
	if (ret >= 0)
		ret = kb_audit_policy_check(session.run.policy.tolerance, err);
	if (ret < 0)
		return ret;
	run->gather = (struct kb_gather_options){
		.launcher = &session.machine.launcher,
		.timeout_ns = timeout_s * KB_NS_PER_S,
		.weights_seed = session.asked.seed,
		.operations = operations,
		.budget_s = budget_s,
		.reduced = reduced_path ? &run->reduced : NULL,
	};
	run->audit.lines = kb_xcalloc(session.run.selected_count,
				      sizeof(*run->audit.lines));
	run->again = kb_xcalloc(session.run.selected_count,
				sizeof(*run->again));
	run->audit.suite = session.run.bundle.id;
	run->crew.lanes_a_device = (size_t)jobs;
	return kb_crew_open(&run->crew, &session, &crew_work, run, err);
}

static int audit(struct audit_run *run, struct kb_digest *id,
		 struct kb_err *err)
{
	struct kb_audit *a = &run->audit;
	kb_auto(json) struct kb_json *verdicts = NULL;
	int ret = open_run(run, err);

	if (ret >= 0)
		ret = kb_session_resume(&session, KB_KIND_AUDIT, &a->suite,
					err);
	if (ret >= 0)
		ret = kb_journaled_run(&run->journaled, &session,
				       session.run.selected_count, &work, run,
				       err);
	if (ret < 0)
		return ret;
	kb_session_copy_conditions(&session, &a->problems, &a->problem_count,
				   &a->conditions);
	ret = write_bundle(a, id, err);
	if (ret < 0 || !verdicts_path)
		return ret;
	verdicts = kb_audit_verdicts(a);
	return write_verdicts(verdicts, err);
}

static int print_audit(const struct kb_audit *a, const struct kb_digest *id,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (print_evidence) {
		kb_audit_table_print_evidence(&text, a);
		kb_buf_addch(&text, '\n');
	}
	kb_audit_table_print(&text, a, &session.run.suite);
	printf("%s\n", text.data);
	return kb_made_print(&session.asked.made, session.asked.store,
			     KB_KIND_AUDIT, id, err);
}

/* Audits that were made before, instead of one. */
static int run_again(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(json) struct kb_json *verdicts = NULL;
	int ret = check_verdicts(err);

	if (ret >= 0)
		ret = kb_audit_anew(argc, argv, session.asked.store,
				    print_evidence,
				    verdicts_path ? &verdicts : NULL, err);
	if (ret >= 0 && verdicts_path)
		ret = write_verdicts(verdicts, err);
	return ret < 0 ? ret : KB_EXIT_OK;
}

/* Earlier releases looked at it again. */
static bool is_audit(const char *name)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	enum kb_kind kind;

	return kb_store_open(&b, session.asked.store, name, NULL) == 0 &&
	       kb_record_check(&kind, &b, NULL) == 0 && kind == KB_KIND_AUDIT;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	struct audit_run run_state = RUN_INIT;
	struct kb_digest id;
	int ret;

	(void)argc;
	session.asked.suite_name = argv[0];
	session.asked.seed_list = NULL;
	session.asked.jobs = 0;			/* builds */
	session.asked.no_build_cache = true;
	if (verdicts_path && reduced_path)
		return kb_err(err, KB_ERR_USAGE,
			      "--verdicts and --reduced exclude each other: "
			      "a verdict is of a problem as it is");
	ret = audit(&run_state, &id, err);
	if (ret >= 0)
		ret = print_audit(&run_state.audit, &id, err);
	else if (ret == -KB_ERR_INPUT && is_audit(argv[0]))
		ret = kb_err(err, KB_ERR_USAGE,
			     "'%s' is an audit: 'kb-audit again %s' judges its "
			     "evidence anew", argv[0], argv[0]);
	release_run(&run_state);
	kb_session_release(&session);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static const struct kb_verb verbs[] = {
	{ .operands = "SUITE", .options = options, .former = former,
	  .run = run },
	{ .name = "again", .operands = "AUDIT...", .options = again_options,
	  .former = former, .run = run_again },
};

const struct kb_command kb_command = {
	.name = "kb-audit",
	.about = "Find out which problems of a suite measure what they seem to, "
		 "and write the\naudit into the store.",
	.verbs = verbs,
	.verb_count = KB_ARRAY_LEN(verbs),
	.can_be_interrupted = true,
};
