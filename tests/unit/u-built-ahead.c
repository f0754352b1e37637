/* What a crew knows of a candidate's build, and a lane does not. */

#include "crew/crew.h"

#include <string.h>

#include "lib/tap.h"
#include "manifest/submission.h"

/* Of the problem, which is native, and of the second of two candidates: the first
 * compiles nothing. */
enum { OF_PROBLEM, OF_CANDIDATE, BUILDS };

struct rig {
	struct kb_build builds[BUILDS];
	struct kb_candidate candidates[2];
	const struct kb_candidate *order[2];
	size_t numbers[BUILDS];
	struct kb_crew crew;
	struct kb_job job;
};

static void note_build(struct rig *r, int build, enum kb_runtime runtime,
		       const char *code, char *in_place)
{
	struct kb_build *x = &r->builds[build];

	x->id.runtime = runtime;
	kb_digest_of(&x->id.source, code, strlen(code));
	x->in_place = in_place;
}

static void note_candidate(struct rig *r, size_t i, const char *code)
{
	r->candidates[i].runtime = KB_RUNTIME_TORCH;
	kb_digest_of(&r->candidates[i].digest, code, strlen(code));
	r->order[i] = &r->candidates[i];
}

/* The job has the builds from number `first` on. */
static void open_rig(struct rig *r, size_t first)
{
	static char one[] = "one", other[] = "another";

	*r = (struct rig){ .numbers = { OF_PROBLEM, OF_CANDIDATE } };
	note_build(r, OF_PROBLEM, KB_RUNTIME_NATIVE, "problem", one);
	note_build(r, OF_CANDIDATE, KB_RUNTIME_TORCH, "compiles", other);
	note_candidate(r, 0, "compiles nothing");
	note_candidate(r, 1, "compiles");
	r->crew.builds.items = r->builds;
	r->crew.builds.count = BUILDS;
	r->job.candidates = r->order;
	r->job.candidate_count = 2;
	r->job.builds = r->numbers + first;
	r->job.build_count = BUILDS - first;
}

static void test_a_candidate_has_its_own_build_or_none(void)
{
	for (size_t first = 0; first < BUILDS; first++) {
		struct rig r;

		open_rig(&r, first);
		check(!kb_crew_in_place(&r.crew, &r.job, 0));
		check_str(kb_crew_in_place(&r.crew, &r.job, 1), "another");
	}
}

TAP_MAIN(TAP(test_a_candidate_has_its_own_build_or_none));
