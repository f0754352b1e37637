/* What a crew knows of a candidate's build, and a lane does not. */

#include "crew/crew.h"

#include <string.h>

#include "base/alloc.h"
#include "crew/members.h"
#include "lib/tap.h"
#include "manifest/result.h"
#include "manifest/submission.h"

/* Of the problem, which is native, and of the second of two candidates: the first
 * compiles nothing. */
enum { OF_PROBLEM, OF_CANDIDATE, BUILDS };

struct rig {
	struct kb_build builds[BUILDS];
	struct kb_candidate candidates[2];
	const struct kb_candidate *order[2];
	size_t numbers[BUILDS];
	struct kb_member lane;
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
	r->crew.members = &r->lane;
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
		struct kb_result results[2] = { KB_RESULT_INIT, KB_RESULT_INIT };
		struct rig r;

		open_rig(&r, first);
		for (size_t i = 0; i < 2; i++)
			kb_crew_complete_result(&r.crew, &r.job, i, 0,
						&results[i]);
		check(!results[0].built_in_place);
		check_str(results[1].built_in_place, "another");
		kb_result_release(&results[1]);
	}
}

/* The times are of builds whose end is the candidate's: kb-verify holds a build
 * that timed out to its limit. */
static void test_a_build_counts_if_it_is_the_end(void)
{
	static const struct {
		enum kb_phase phase;
		bool is_in_place;
		int64_t wall_ns;
	} rows[] = {
		{ KB_PHASE_BUILD, false, 1 + 5 },
		{ KB_PHASE_BUILD, true, 1 },
		{ KB_PHASE_LOAD, false, 1 },
		{ KB_PHASE_RUN, false, 1 },
		{ KB_PHASE_NONE, false, 1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_result result = KB_RESULT_INIT;
		struct rig r;

		open_rig(&r, 0);
		r.builds[OF_CANDIDATE].wall_ns = 5;
		if (!rows[i].is_in_place)
			r.builds[OF_CANDIDATE].in_place = NULL;
		result.outcome.phase = rows[i].phase;
		result.outcome.wall_ns = 1;
		kb_crew_complete_result(&r.crew, &r.job, 1, 0, &result);
		check_int(result.outcome.wall_ns, rows[i].wall_ns);
		kb_result_release(&result);
	}
}

TAP_MAIN(
	TAP(test_a_candidate_has_its_own_build_or_none),
	TAP(test_a_build_counts_if_it_is_the_end),
);
