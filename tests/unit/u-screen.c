#include "crew/screen.h"

#include "base/alloc.h"
#include "base/err.h"
#include "crew/members.h"
#include "lib/tap.h"
#include "session/session.h"

#define SCREENERS 4
#define MEMBERS (1 + SCREENERS)

/* A crew of one device: whose turn it is, lanes at work in it, jobs that wait for a
 * screen and to be timed, and whether a source adds jobs. */
struct turn {
	bool screens;
	size_t busy, unscreened, passed;
	bool is_stream;
	int priority;			/* of those that wait for a screen */
	bool wanted;			/* does the crew screen afterwards? */
};

static const struct turn turns[] = {
	/* Screening begins with several jobs for each lane, or if nothing is to be
	 * timed. */
	{ false, 0, 11, 1, false, 0, false },
	{ false, 0, 12, 1, false, 0, true },
	{ false, 0, 12, 1, true, 0, true },
	{ false, 0, 1, 0, true, 0, true },
	{ false, 1, 12, 1, false, 0, false },	/* a lane is at work */
	{ false, 0, 0, 0, true, 0, false },
	/* What is more urgent does not wait for that. */
	{ false, 0, 1, 1, true, 1, true },
	{ false, 0, 1, 1, true, -1, false },
	/* A run screens to the end. */
	{ true, 0, 1, 9, false, 0, true },
	{ true, 1, 0, 9, false, 0, true },
	{ true, 0, 0, 9, false, 0, false },
	/* Clients may wait for what is to be timed before they ask for more. */
	{ true, 0, 2, 9, true, 0, true },
	{ true, 1, 1, 9, true, 0, true },
	{ true, 0, 1, 9, true, 0, false },
	{ true, 1, 0, 9, true, 0, true },	/* until the lane is done */
	{ true, 0, 1, 0, true, 0, true },
	{ true, 0, 0, 0, true, 0, true },
};

static struct kb_job *add_job(struct kb_crew *c, int id)
{
	const struct kb_key key = { .level = 1, .problem_id = id };

	return kb_jobs_add(&c->jobs, kb_jobs_add_group(&c->jobs, key, KB_UNKNOWN),
			   0, 0);
}

/* Nobody has to be started: who has the turn has been. */
static void put_members(struct kb_member members[], const struct turn *t)
{
	for (size_t i = 0; i < MEMBERS; i++) {
		const bool is_busy = t->screens ? i && i <= t->busy
						: !i && t->busy;

		members[i].lane = (struct kb_lane)KB_LANE_INIT;
		members[i].state = is_busy ? KB_MEMBER_BUSY :
			!i && !t->screens ? KB_MEMBER_RESTING :
					    KB_MEMBER_IDLE;
	}
}

static bool screens_afterwards(const struct turn *t)
{
	static const struct kb_crew_source source;
	struct kb_session session = { .machine.launcher.ranks = 1 };
	struct kb_member members[MEMBERS] = { 0 };
	bool is_screening = t->screens;
	struct kb_crew c = KB_CREW_INIT;
	struct kb_err err = KB_ERR_INIT;
	int id = 0;

	c.session = &session;
	c.screeners = SCREENERS;
	c.screens = true;
	c.is_screening = &is_screening;
	c.members = members;
	c.member_count = MEMBERS;
	c.work.source = t->is_stream ? &source : NULL;
	put_members(members, t);
	for (size_t i = 0; i < t->unscreened; i++)
		add_job(&c, ++id)->priority = t->priority;
	for (size_t i = 0; i < t->passed; i++)
		add_job(&c, ++id)->is_screened = true;
	check_int(kb_crew_turn(&c, &err), 0);
	kb_jobs_release(&c.jobs);
	return is_screening;
}

static void test_turns_change_when_that_is_worth_it(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(turns); i++)
		if (screens_afterwards(&turns[i]) != turns[i].wanted)
			tap_fail("row %zu", i);
}

static const struct {
	bool is_cuda;
	uint64_t cpus, gib, threads;
	size_t wanted;
} machines[] = {
	{ true, 16, 128, 16, 12 },
	{ true, 64, 512, 64, 12 },
	{ true, 8, 128, 8, 6 },
	{ true, 2, 128, 2, 1 },
	{ true, 16, 30, 16, 5 },
	{ false, 16, 128, 16, 1 },
	{ false, 16, 128, 4, 4 },
	{ false, 64, 512, 1, 12 },
	{ false, 64, 5, 1, 0 },
};

static void test_lanes_fit_processors_and_memory(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(machines); i++)
		check_int(kb_screeners_that_fit(machines[i].is_cuda,
						machines[i].cpus,
						machines[i].gib << 30,
						machines[i].threads),
			  machines[i].wanted);
}

TAP_MAIN(
	TAP(test_turns_change_when_that_is_worth_it),
	TAP(test_lanes_fit_processors_and_memory),
);
