/* kb-serve: judge candidates as they are asked for, by lanes that stay warm. */

#include "cmd/cmd.h"

#include <stdbool.h>

#include "cli/terminal.h"
#include "import/open.h"
#include "runs/fits_suite.h"
#include "score/reward.h"
#include "serving/server.h"
#include "session/session.h"
#include "worker/server.h"

static struct kb_session session = KB_SESSION_INIT;
static struct kb_serve_asked asked = {
	.lease_s = 30, .queue_max = 256, .bundle_every = 1000,
};
static const char *reward_name;

static const struct kb_option options[] = {
	KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE",
			"where kernels run: cpu, cuda:N, cuda:N,cuda:M, cuda:all",
			session.asked.device, .letter = 'd'),
	KB_SESSION_PLACE(MORE, "socket", "PATH",
			 "take requests from clients of this Unix socket",
			 asked.socket),
	KB_SESSION_PLACE(MORE, "spool", "DIR",
			 "take requests from files in this folder", asked.spool),
	KB_SESSION_INT(MORE, "lease", "S",
		       "seconds after which a silent server's files are others'",
		       asked.lease_s, 1, 86400, .is_place = true),
	KB_SESSION_INT(MORE, "queue", "N", "requests that wait, at most",
		       asked.queue_max, 1, 4096, .is_place = true),
	KB_SESSION_INT(MORE, "bundle-every", "N",
		       "verdicts after which an evaluation is written",
		       asked.bundle_every, 1, 100000, .is_place = true),
	{ .group = KB_OPTION_MORE, .name = "memory",
	  .help = "answer code that was screened before from memory",
	  .type = KB_OPTION_FLAG, .value = &asked.has_memory },
	KB_SESSION_TEXT(MORE, "reward", "FORMULA",
			"answer a reward, too: speedup, binary, kernelgym,"
			" kernelgym-penalties, kernrl, agentkernelarena",
			reward_name),
	KB_SESSION_JUDGE_OPTIONS(session.asked),
	KB_SESSION_SCREEN_OPTION(session.asked),
	KB_SESSION_BUILD_OPTIONS(session.asked),
	KB_SESSION_SELECTION(session.asked),
	KB_SESSION_SETTINGS(session.asked),
	KB_SESSION_STORE(session.asked),
	KB_OPTION_END
};

static bool has_python(void)
{
	const struct kb_session_run *run = &session.run;

	for (size_t i = 0; i < run->selected_count; i++)
		if (kb_suite_find(&run->suite, run->selected[i])->runtime ==
		    KB_RUNTIME_TORCH)
			return true;
	return false;
}

static int serve_requests(struct kb_serve *s, struct kb_err *err)
{
	int ret = kb_reward_find(&asked.reward, reward_name, err);

	if (ret >= 0)
		ret = kb_session_prepare(&session, "kb-serve", options, err);
	if (ret < 0)
		return ret;
	session.run.has_python = has_python();
	/* Nobody knows yet what candidates import. Most import Triton on a GPU; what
	 * torch.compile() imports takes seconds, and makes each fork slower. */
	if (session.machine.gpu.is_cuda)
		session.machine.launcher.modules = 1u << KB_MODULE_TRITON;
	/* For builds, while lanes start. */
	if (session.machine.gpu.is_cuda && session.run.has_python)
		kb_launcher_begin_server(&session.machine.launcher);
	session.machine.launcher.closed[2] = asked.spool;
	kb_print_derived(&session.run.suite);
	ret = kb_serve_open(s, &session, &asked, err);
	if (ret < 0)
		return ret;
	kb_session_say(&session, "ready");
	return kb_serve_run(s, err);
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	struct kb_serve s = KB_SERVE_INIT;
	int ret;

	(void)argc;
	session.asked.suite_name = argv[0];
	session.asked.open_suite = kb_suite_open_or_pack;
	session.say = kb_stderr_say;
	ret = serve_requests(&s, err);
	kb_serve_release(&s);
	kb_session_release(&session);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static const struct kb_verb verbs[] = {
	{ .operands = "SUITE", .options = options, .run = run },
};

const struct kb_command kb_command = {
	.name = "kb-serve",
	.about = "Judge candidates as they are asked for, one JSON line each, "
		 "and keep the verdicts\nas evaluations.",
	.example = "kb-serve problems/demo --device cpu --reward kernelgym",
	.verbs = verbs,
	.verb_count = 1,
	.interrupted = "interrupted before it was ready",
};
