/* kb-audit: what are the problems of a suite worth as measurements? */

#include "cmd/cmd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit/judge.h"
#include "audit/reduced.h"
#include "audit/verdicts.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/output.h"
#include "cli/shell_word.h"
#include "cli/terminal.h"
#include "import/open.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "runs/audit_anew.h"
#include "runs/audit_run.h"
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
			"audit smaller problems, with the values in FILE",
			reduced_path),
	KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE",
			"where problems run: cpu, cuda:N, cuda:N,cuda:M, "
			"cuda:all", session.asked.device, .letter = 'd'),
	KB_SESSION_INT(MEASUREMENT, "operations", "N",
		       "operations to leave out of a problem in turn, at most",
		       operations, 0, 100000),
	KB_SESSION_INT(MEASUREMENT, "budget", "S",
		       "seconds for --operations on each kind of input", budget_s, 0,
		       1000000),
	KB_SESSION_INT(MEASUREMENT, "seed", "N", "seed of the weights",
		       session.asked.seed, 0, KB_WEIGHTS_SEED_MAX),
	KB_SESSION_TEXT(MEASUREMENT, "tolerance", "POLICY",
			"how close outputs must be: kernelbench or paper",
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
		       "KiB kept of a problem's output",
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

static int read_reduced(struct kb_buf *reduced, struct kb_err *err)
{
	int ret;

	if (!reduced_path)
		return 0;
	ret = kb_file_read_named(reduced, reduced_path, KB_REDUCED_BYTES_MAX,
				 err);
	return ret < 0 ? ret : kb_reduced_check(reduced->data, reduced->len,
						reduced_path, err);
}

/* It is written when all is done: what can be known of it is known before. */
static int check_verdicts(struct kb_err *err)
{
	return verdicts_path ? kb_output_check(verdicts_path, err) : 0;
}

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
	return kb_output_write(verdicts_path, text.data, text.len, err);
}

/* `reduced` holds until the run is released. */
static int open_run(struct kb_audit_run *run, struct kb_buf *reduced,
		    struct kb_err *err)
{
	int ret = read_reduced(reduced, err);

	if (ret >= 0)
		ret = check_verdicts(err);
	if (ret >= 0)
		ret = kb_session_prepare(&session, "kb-audit", options, err);
	if (ret >= 0 && session.run.suite.world > 1 && session.machine.gpu.count)
		return kb_err(err, KB_ERR_USAGE,
			      "suite '%s' is of %d ranks, which are audited on "
			      "the CPU", session.asked.suite_name,
			      session.run.suite.world);
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
		.reduced = reduced_path ? reduced : NULL,
	};
	run->crew.lanes_a_device = (size_t)jobs;
	return kb_audit_run_open(run, err);
}

static int audit_suite(struct kb_audit_run *run, struct kb_buf *reduced,
		       struct kb_digest *id, struct kb_err *err)
{
	struct kb_audit *a = &run->audit;
	kb_auto(json) struct kb_json *verdicts = NULL;
	int ret = open_run(run, reduced, err);

	if (ret >= 0)
		ret = kb_session_resume(&session, KB_KIND_AUDIT, &a->suite,
					err);
	if (ret >= 0)
		ret = kb_audit_run_do(run, err);
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
	kb_audit_table_print(&text, a, &session.run.suite, kb_stdout_look());
	kb_buf_addch(&text, '\n');
	kb_stdout_print(text.data);
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

static int is_one_already(const char *name, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf word = KB_BUF_INIT;

	kb_shell_word_print(&word, name);
	return kb_err(err, KB_ERR_USAGE, "'%s' is an audit; to judge its "
		      "evidence anew: kb-audit again %s", name, word.data);
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	struct kb_audit_run run_state = KB_AUDIT_RUN_INIT;
	kb_auto(buf) struct kb_buf reduced = KB_BUF_INIT;
	struct kb_digest id;
	int ret;

	(void)argc;
	session.asked.suite_name = argv[0];
	session.asked.open_suite = kb_suite_open_or_pack;
	session.say = kb_stderr_say;
	session.asked.seed_list = NULL;
	session.asked.jobs = 0;			/* builds */
	session.asked.no_build_cache = true;
	if (verdicts_path && reduced_path)
		return kb_err(err, KB_ERR_USAGE,
			      "--verdicts and --reduced exclude each other: "
			      "a verdict is of a problem as it is");
	run_state.session = &session;
	ret = audit_suite(&run_state, &reduced, &id, err);
	if (ret >= 0)
		ret = print_audit(&run_state.audit, &id, err);
	else if (ret == -KB_ERR_INPUT && is_audit(argv[0]))
		ret = is_one_already(argv[0], err);
	kb_audit_run_release(&run_state);
	kb_session_release(&session);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static const struct kb_verb verbs[] = {
	{ .operands = "SUITE", .options = options, .run = run },
	{ .name = "again",
	  .about = "judge the evidence of audits again, and run nothing",
	  .operands = "AUDIT...", .options = again_options,
	  .run = run_again },
};

const struct kb_command kb_command = {
	.name = "kb-audit",
	.about = "Find problems of a suite that measure too little, and write the "
		 "audit into the\nstore.",
	.example = "kb-audit problems/demo --problems 1/1",
	.verbs = verbs,
	.verb_count = KB_ARRAY_LEN(verbs),
	.interrupted = KB_RESUMES,
};
