#include "crew/candidate_builds.h"

#include "crew/compilers.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "session/session.h"

void kb_crew_add_candidate_builds(struct kb_crew *c, struct kb_job *job,
				  const struct kb_bundle *submission)
{
	const struct kb_session_run *run = &c->session->run;
	const struct kb_problem *p = kb_suite_find(&run->suite, job->key);
	struct kb_builds *b = &c->builds;
	const struct kb_code_file problem = {
		.runtime = p->runtime, .digest = p->digest,
		.bundle = &run->bundle, .file = p->file,
		.bytes_max = KB_PROBLEM_BYTES_MAX,
	};

	/* A build is one process, and the code of ranks may call its group. So each
	 * rank builds. */
	if (!c->builders || c->session->machine.launcher.ranks > 1)
		return;
	if (p->runtime != KB_RUNTIME_TORCH)
		job->builds[job->build_count++] =
			kb_builds_add(b, &problem, NULL);
	for (size_t i = 0; i < job->candidate_count; i++) {
		const struct kb_candidate *x = job->candidates[i];
		const struct kb_code_file code = {
			.runtime = x->runtime, .digest = x->digest,
			.bundle = submission, .file = x->file,
			.bytes_max = KB_CANDIDATE_BYTES_MAX,
		};

		/* The rest is only imported, as its lane does too. */
		if (!kb_code_compiles(&code))
			continue;
		job->builds[job->build_count++] = kb_builds_add(
			b, &code,
			x->runtime == KB_RUNTIME_TORCH ? &problem : NULL);
	}
}
