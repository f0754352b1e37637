#include "crew/screen.h"

#include "base/numbers.h"
#include "crew/members.h"
#include "device/granted.h"
#include "manifest/key.h"
#include "session/session.h"

static const struct kb_key none = { .level = 0 };

/* In place of a device: on any. */
#define ANYWHERE SIZE_MAX

static bool has_member(const struct kb_crew *c, size_t device, bool screens,
		       bool (*is_so)(enum kb_member_state state))
{
	for (size_t i = 0; i < c->member_count; i++)
		if ((device == ANYWHERE ||
		     kb_crew_device_of(c, i) == device) &&
		    kb_crew_is_screener(c, i) == screens &&
		    is_so(c->members[i].state))
			return true;
	return false;
}

static bool is_there(enum kb_member_state state)
{
	return state != KB_MEMBER_GONE;
}

static bool is_at_work(enum kb_member_state state)
{
	return state == KB_MEMBER_BUSY || state == KB_MEMBER_STARTING;
}

/* --- jobs --------------------------------------------------------------- */

static bool can_screen(const struct kb_crew *c, size_t device)
{
	return c->screens && has_member(c, device, true, is_there);
}

static bool is_built(const struct kb_crew *c, const struct kb_job *job)
{
	return kb_builds_are_done(&c->builds, job->builds, job->build_count);
}

bool kb_crew_is_to_be_screened(void *context, const struct kb_job *job)
{
	const struct kb_crew *c = context;

	return c->screens && !job->is_screened && is_built(c, job);
}

bool kb_crew_is_to_be_timed(void *context, const struct kb_job *job)
{
	const struct kb_crew *c = context;

	return is_built(c, job) &&
	       (job->is_screened || !can_screen(c, ANYWHERE));
}

/* --- turns -------------------------------------------------------------- */

/* For which the turn is changed while there is something to time. By a model of 32
 * requests in flight and the times of an H200, 8 lanes judge a sixth more an hour by
 * 24 jobs than by 8. */
#define JOBS_A_LANE 3
#define JOBS_MAX 24

static int start_resting(struct kb_crew *c, size_t device, bool screens,
			 struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->member_count && ret >= 0; i++)
		if (kb_crew_device_of(c, i) == device &&
		    kb_crew_is_screener(c, i) == screens &&
		    c->members[i].state == KB_MEMBER_RESTING)
			ret = kb_crew_start_member(c, i, err);
	return ret;
}

static int begin_screening(struct kb_crew *c, size_t device, struct kb_err *err)
{
	int ret = 0;

	c->is_screening[device] = true;
	for (size_t i = 0; i < kb_crew_count_timers(c) && ret >= 0; i++)
		if (kb_crew_device_of(c, i) == device)
			ret = kb_crew_lay_down(c, i, err);
	return ret < 0 ? ret : start_resting(c, device, true, err);
}

static int begin_timing(struct kb_crew *c, size_t device, struct kb_err *err)
{
	c->is_screening[device] = false;
	kb_crew_rest(c, device);
	return start_resting(c, device, false, err);
}

static bool is_unscreened(void *context, const struct kb_job *job)
{
	(void)context;
	return !job->is_screened;
}

/* Lanes take seconds to start: they do so while builds go on. */
static bool wants_screening(struct kb_crew *c, size_t device)
{
	const size_t enough = (size_t)kb_min_u64(c->screeners * JOBS_A_LANE,
						 JOBS_MAX);
	const struct kb_job *timed, *screened;

	if (!can_screen(c, device))
		return false;
	timed = kb_jobs_peek(&c->jobs, none, kb_crew_is_to_be_timed, c);
	if (!timed)
		return kb_jobs_peek(&c->jobs, none, is_unscreened, c);
	screened = kb_jobs_peek(&c->jobs, none, kb_crew_is_to_be_screened, c);
	return screened &&
	       (screened->priority > timed->priority ||
		kb_jobs_count(&c->jobs, enough, kb_crew_is_to_be_screened, c) ==
		enough);
}

static size_t count_busy(const struct kb_crew *c, size_t device)
{
	size_t count = 0;

	for (size_t i = kb_crew_count_timers(c); i < c->member_count; i++)
		count += kb_crew_device_of(c, i) == device &&
			 c->members[i].state == KB_MEMBER_BUSY;
	return count;
}

bool kb_crew_goes_on_screening(struct kb_crew *c, size_t device)
{
	const size_t few = c->screeners / 2;

	if (!can_screen(c, device) ||
	    !kb_jobs_peek(&c->jobs, none, kb_crew_is_to_be_screened, c))
		return false;
	return !c->work.source ||
	       !kb_jobs_peek(&c->jobs, none, kb_crew_is_to_be_timed, c) ||
	       count_busy(c, device) +
			       kb_jobs_count(&c->jobs, few,
					     kb_crew_is_to_be_screened, c) >=
		       few;
}

static int turn_screening(struct kb_crew *c, size_t device, struct kb_err *err)
{
	if (kb_crew_goes_on_screening(c, device))
		return start_resting(c, device, true, err);
	if (has_member(c, device, true, is_at_work) ||
	    !kb_jobs_peek(&c->jobs, none, kb_crew_is_to_be_timed, c))
		return 0;
	return begin_timing(c, device, err);
}

static int turn_timing(struct kb_crew *c, size_t device, struct kb_err *err)
{
	if (has_member(c, device, false, is_at_work) ||
	    !has_member(c, device, false, is_there) || !wants_screening(c, device))
		return 0;
	return begin_screening(c, device, err);
}

/* --- how many ----------------------------------------------------------- */

/* The memory that a worker in torch takes, about, with libraries and a compiler. It
 * computes with one processor for nine tenths of its time, beside its compiler. */
#define SCREENED_BYTES ((uint64_t)6 << 30)
#define LANES_OF_FOUR_CPUS 3
/* On an H200 with 16 processors four lanes screened 100 Triton answers in 54 s, and
 * eight in 30 s; on a busy host eight in 74 s, and twelve in 58 s. The driver opens
 * the device for some nine workers a second, one after the other. */
#define SCREENERS_MAX 12

size_t kb_screeners_that_fit(bool is_cuda, uint64_t cpus, uint64_t memory_bytes,
			     uint64_t threads)
{
	const uint64_t lanes = is_cuda ? cpus * LANES_OF_FOUR_CPUS / 4 :
		cpus / threads;
	const uint64_t room = memory_bytes / SCREENED_BYTES;

	return (size_t)kb_min_u64(kb_min_u64(lanes, room), SCREENERS_MAX);
}

static size_t choose(const struct kb_session *s)
{
	const struct kb_session_device *d = &s->machine.gpu;
	const size_t devices = d->is_cuda && d->count ? d->count : 1;

	return kb_screeners_that_fit(d->is_cuda,
				     (uint64_t)kb_granted_cpus("") / devices,
				     kb_granted_memory_bytes("") / devices,
				     (uint64_t)s->machine.launcher.threads);
}

void kb_crew_choose_screeners(struct kb_crew *c, const struct kb_session *s)
{
	c->chooses = !s->asked.screen;
	c->screeners = s->asked.screen ? (size_t)s->asked.screen :
				       choose(s);
	/* Under several seeds all of a problem are one job, of which most is done
	 * more than once. Of several ranks most is starting them, which screened
	 * candidates do twice. */
	if (s->run.policy.seeds.count || s->machine.launcher.ranks > 1)
		c->screeners = 0;
}

int kb_crew_turn(struct kb_crew *c, struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < kb_crew_count_devices(c) && ret >= 0; i++)
		ret = c->is_screening[i] ? turn_screening(c, i, err)
					 : turn_timing(c, i, err);
	return ret;
}
