#include "crew/crew.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/other_user.h"
#include "crew/lane.h"
#include "crew/members.h"
#include "crew/screen.h"
#include "device/granted.h"
#include "json/json.h"
#include "manifest/result.h"
#include "manifest/submission.h"
#include "session/session.h"

/* A compiler of device code wants as much memory: of an extension that includes
 * all of torch in it nvcc 13.0 took 2.8 GiB. */
#define BUILD_BYTES ((uint64_t)3 << 30)

/* Jobs that are built before lanes have their turn. */
#define WINDOW 256

static const struct kb_key none = { .level = 0 };

/* --- processors -------------------------------------------------------- */

/* A worker on the CPU uses as many as it is told to. */
static size_t timing_cpus(const struct kb_crew *c, size_t cpus)
{
	const struct kb_session *s = c->session;

	return s->machine.gpu.is_cuda ?
		kb_processors_to_time(cpus, kb_crew_count_timers(c)) :
		(size_t)s->machine.launcher.threads + 1;
}

/* Can no worker write to what was built for another one? */
static bool is_guarded(const struct kb_launcher *l)
{
	return l->features & (1u << KB_FEATURE_OTHER_USER |
			      1u << KB_FEATURE_LANDLOCK |
			      1u << KB_FEATURE_READ_ONLY_FILES);
}

static void plan_builders(struct kb_crew *c)
{
	const size_t cpus = (size_t)kb_granted_cpus("");
	const size_t timing = timing_cpus(c, cpus);
	const uint64_t memory = kb_granted_memory_bytes("");
	const int64_t asked = c->session->asked.jobs;
	size_t most = cpus;

	c->takes_turns = c->is_building = cpus <= timing;
	c->can_share = c->session->machine.launcher.other_user_why_not ||
		       kb_other_user_is_movable();
	if (!c->takes_turns && !c->can_share)
		most -= timing;
	if (most > memory / BUILD_BYTES && memory >= BUILD_BYTES)
		most = (size_t)(memory / BUILD_BYTES);
	c->builders = asked < 0 ? most : (size_t)asked;
	if (!is_guarded(&c->session->machine.launcher))
		c->builders = 0;
	if (!c->builders)
		c->takes_turns = false;
	if (c->takes_turns || !c->builders)
		return;
	kb_processors_keep_off(&c->processors, timing);
	c->kept_off = timing;
}

/* A lane has the processors that it was started with. */
static bool is_lane(void *context, pid_t pid)
{
	const struct kb_crew *c = context;

	for (size_t i = 0; i < c->member_count; i++)
		if (c->members[i].lane.pid == pid)
			return true;
	return false;
}

static bool is_timing(const struct kb_crew *c)
{
	for (size_t i = 0; i < kb_crew_count_timers(c); i++)
		if (c->members[i].state == KB_MEMBER_BUSY)
			return true;
	return false;
}

/* Compilers are what a run waits for that has to build most of its candidates. */
static void share_processors(struct kb_crew *c)
{
	const bool shares = c->can_share && !is_timing(c);

	if (!c->kept_off || shares == c->has_shared ||
	    (shares && !c->builds.running_count))
		return;
	c->has_shared = shares;
	if (!kb_processors_share(&c->processors, shares ? 0 : c->kept_off,
				 is_lane, c))
		c->can_share = false;
}

/* --- opening and closing ----------------------------------------------- */

static size_t count_members(const struct kb_crew *c)
{
	const size_t timers = kb_crew_count_timers(c);

	return c->screeners > 1 ? timers + timers * c->screeners : timers;
}

int kb_crew_open(struct kb_crew *c, struct kb_session *s,
		 const struct kb_crew_work *work, struct kb_err *err)
{
	int ret = kb_session_device_count(s, err);

	if (ret < 0)
		return ret;
	kb_processors_note(&c->processors);
	c->session = s;
	c->work = *work;
	c->member_count = count_members(c);
	c->members = kb_xcalloc(c->member_count, sizeof(*c->members));
	c->is_screening = kb_xcalloc(kb_crew_count_devices(c),
				     sizeof(*c->is_screening));
	for (size_t i = 0; i < c->member_count; i++) {
		c->members[i].lane = (struct kb_lane)KB_LANE_INIT;
		kb_session_device_name(c->members[i].name, s,
				       kb_crew_device_of(c, i));
	}
	for (size_t i = 0; i < kb_crew_count_timers(c) && ret >= 0; i++)
		ret = kb_crew_start_member(c, i, err);
	while (ret >= 0 && kb_crew_count(c, KB_MEMBER_STARTING))
		ret = kb_crew_wait(c, err);
	if (ret < 0)
		return ret;
	plan_builders(c);
	return kb_builds_open(&c->builds, s, c->builders, err);
}

void kb_crew_close(struct kb_crew *c)
{
	for (size_t i = 0; i < c->member_count; i++) {
		kb_lane_end(&c->members[i].lane);
		kb_json_free(c->members[i].said);
	}
	kb_builds_close(&c->builds);
	kb_processors_restore(&c->processors);
	kb_jobs_release(&c->jobs);
	free(c->members);
	free(c->is_screening);
	free(c->order);
	free(c->at_builds);
	*c = (struct kb_crew)KB_CREW_INIT;
}

/* --- builds ------------------------------------------------------------ */

static bool is_built(const struct kb_crew *c, const struct kb_job *job)
{
	return kb_builds_are_done(&c->builds, job->builds, job->build_count);
}

/* Begin those of its builds that nobody has begun. Returns 1 if all are; 0 if
 * there was no room for one. */
static int begin_builds(struct kb_crew *c, const struct kb_job *job,
			struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < job->build_count && ret >= 0; i++) {
		if (c->builds.items[job->builds[i]].is_begun)
			continue;
		if (!kb_builds_have_room(&c->builds))
			return 0;
		ret = kb_builds_begin(&c->builds, job->builds[i], err);
	}
	return kb_err_or_1(ret);
}

static int start_builds(struct kb_crew *c, struct kb_err *err)
{
	int ret = c->is_held || (c->takes_turns && !c->is_building) ? 0 :
		kb_builds_begin_headers(&c->builds, err);

	if (ret < 0)
		return ret;
	while (!c->is_held && c->next_to_build < c->order_count &&
	       (!c->takes_turns || (c->is_building && c->window))) {
		struct kb_job *job = c->order[c->next_to_build];

		ret = begin_builds(c, job, err);
		if (ret <= 0)
			return ret;
		c->next_to_build++;
		c->window -= c->window > 0;
		if (!job->build_count)
			continue;
		c->at_builds = kb_grow(c->at_builds, c->at_builds_count,
				       &c->at_builds_capacity,
				       sizeof(struct kb_job *));
		c->at_builds[c->at_builds_count++] = job;
		kb_crew_move(c, job, KB_STAGE_BUILDING, NULL);
	}
	return 0;
}

static void note_built(struct kb_crew *c)
{
	for (size_t i = 0; i < c->at_builds_count;) {
		struct kb_job *job = c->at_builds[i];

		if (!is_built(c, job)) {
			i++;
			continue;
		}
		memmove(c->at_builds + i, c->at_builds + i + 1,
			(--c->at_builds_count - i) * sizeof(*c->at_builds));
		/* It may have been handed out since. */
		if (job->stage == KB_STAGE_BUILDING)
			kb_crew_move(c, job, KB_STAGE_WAITING, NULL);
	}
}

const struct kb_build *kb_crew_find_build(const struct kb_crew *c,
					  const struct kb_job *job,
					  enum kb_runtime runtime,
					  const struct kb_digest *source)
{
	for (size_t i = 0; i < job->build_count; i++) {
		const struct kb_build *x = &c->builds.items[job->builds[i]];

		if (x->id.runtime == runtime &&
		    kb_digest_equal(&x->id.source, source))
			return x;
	}
	return NULL;
}

void kb_crew_complete_result(const struct kb_crew *c, const struct kb_job *job,
			     size_t candidate, size_t device,
			     struct kb_result *r)
{
	const struct kb_candidate *x = job->candidates[candidate];
	const struct kb_build *b = kb_crew_find_build(c, job, x->runtime,
						      &x->digest);
	const char *id = kb_crew_device_id(c, device);

	r->built_in_place = b ? kb_xstrdup(b->in_place) : NULL;
	r->measured_on = kb_xstrdup(id);
	kb_build_add_time(b, &r->outcome);
}

/* --- handing out ------------------------------------------------------- */

static struct kb_json *prepared_of(const struct kb_crew *c,
				   const struct kb_job *job)
{
	struct kb_json *list = kb_json_array();

	for (size_t i = 0; i < job->build_count; i++) {
		const struct kb_prepared *p =
			&c->builds.items[job->builds[i]].id;
		struct kb_json *v = kb_json_object();
		char hex[KB_DIGEST_HEX_SIZE];

		kb_digest_format(&p->source, hex);
		kb_json_set_string(v, "source", hex);
		kb_digest_format(&p->key, hex);
		kb_json_set_string(v, "key", hex);
		kb_json_set_string(v, "runtime", kb_runtime_name(p->runtime));
		kb_json_append(list, v);
	}
	return list;
}

static struct kb_json *job_to_json(const struct kb_crew *c,
				   const struct kb_job *job, bool screens)
{
	struct kb_json *v = kb_json_object(), *samples = kb_json_array();
	char key[KB_KEY_SIZE];

	kb_key_format(key, job->key);
	for (size_t i = 0; i < job->candidate_count; i++)
		kb_json_append(samples,
			       kb_candidate_to_json(job->candidates[i]));
	kb_json_set_string(v, "key", key);
	kb_json_set(v, "samples", samples);
	kb_json_set(v, "screen", kb_json_bool(screens));
	kb_json_set(v, "quick", kb_json_bool(job->is_quick));
	kb_json_set_string(v, "doubt", job->doubt);
	kb_json_set(v, "prepared", prepared_of(c, job));
	kb_json_set_string(v, "builds", c->builds.own);
	kb_json_set_string(v, "kept_builds", c->builds.kept);
	return v;
}

/* Does the lane have a reference running when it has done the job? A screen in torch is
 * one process, with a reference of its own (kb_problem_bench_screen()). */
static bool keeps_reference(const struct kb_job *job, bool screens)
{
	if (!screens)
		return true;
	for (size_t i = 0; i < job->candidate_count; i++)
		if (job->candidates[i]->runtime != KB_RUNTIME_TORCH)
			return true;
	return false;
}

static int give_job(struct kb_crew *c, size_t member, struct kb_err *err)
{
	const bool screens = kb_crew_is_screener(c, member);
	struct kb_member *m = &c->members[member];
	kb_auto(json) struct kb_json *v = NULL;

	if (screens &&
	    !kb_crew_goes_on_screening(c, kb_crew_device_of(c, member)))
		return 0;
	m->job = kb_jobs_next(&c->jobs, m->key, screens ?
			      kb_crew_is_to_be_screened :
			      kb_crew_is_to_be_timed, c);
	if (!m->job)
		return 0;
	m->key = keeps_reference(m->job, screens) ? m->job->key : none;
	m->state = KB_MEMBER_BUSY;
	kb_crew_move(c, m->job, screens ? KB_STAGE_SCREENING : KB_STAGE_TIMING,
		     m);
	v = job_to_json(c, m->job, screens);
	return kb_lane_send(m->lane.fd, v, err);
}

static int hand_out(struct kb_crew *c, struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->member_count && ret >= 0; i++)
		if (!c->is_held && c->members[i].state == KB_MEMBER_IDLE &&
		    kb_crew_has_turn(c, i))
			ret = give_job(c, i, err);
	return ret;
}

/* --- the run ------------------------------------------------------------ */

/* Of so many some fail, as a rule. If not, a few screens were too many. */
#define MANY_JOBS 24

void kb_crew_screen(struct kb_crew *c)
{
	c->screens = c->screeners > 1 &&
		     (!c->chooses || kb_jobs_left(&c->jobs) >= MANY_JOBS);
}

static bool is_ready(void *context, const struct kb_job *job)
{
	return is_built(context, job);
}

/* Builds until so many jobs can be done, then these, and so on. */
static void change_turns(struct kb_crew *c)
{
	if (!c->takes_turns)
		return;
	if (c->is_building) {
		c->is_building = c->builds.running_count ||
			(c->window && c->next_to_build < c->order_count);
	} else if (!kb_crew_count(c, KB_MEMBER_BUSY) &&
		   !kb_jobs_peek(&c->jobs, none, is_ready, c)) {
		c->is_building = true;
		c->window = WINDOW;
	}
}

static bool is_over(const struct kb_crew *c)
{
	return !kb_crew_count(c, KB_MEMBER_BUSY) && !kb_jobs_left(&c->jobs);
}

/* For somebody: else there is something to do at once. */
static bool is_waiting(const struct kb_crew *c)
{
	return kb_crew_count(c, KB_MEMBER_BUSY) ||
	       kb_crew_count(c, KB_MEMBER_STARTING) ||
	       c->builds.running_count ||
	       (c->work.source && !kb_jobs_left(&c->jobs));
}

/* --- a source ------------------------------------------------------------ */

bool kb_crew_rests(const struct kb_crew *c)
{
	return !kb_crew_count(c, KB_MEMBER_BUSY) && !c->builds.running_count;
}

/* Returns whether there may be more. */
static int look_at_source(struct kb_crew *c, struct kb_err *err)
{
	const struct kb_crew_source *source = c->work.source;
	const int ret = source ? source->look(source->context, err) : 0;

	/* Until something was looked at, only how many there are is known. */
	if (source && !c->screens && !c->share.count)
		kb_crew_screen(c);
	return ret;
}

int kb_crew_run(struct kb_crew *c, struct kb_err *err)
{
	int ret = 0, more = 0;

	c->order = kb_jobs_order(&c->jobs, kb_crew_count_timers(c));
	c->order_count = c->jobs.count;
	c->order_capacity = c->jobs.count + 1;
	for (size_t i = 0; i < c->order_count; i++)
		c->order[i]->stage = KB_STAGE_COUNT;
	c->window = WINDOW;
	while (ret >= 0) {
		ret = more = look_at_source(c, err);
		if (ret < 0 || (!more && is_over(c)))
			break;
		/* Before builds: the first one waits until torch is imported for it,
		 * and lanes import it as well. */
		if (!c->takes_turns || !c->is_building)
			ret = kb_crew_turn(c, err);
		if (ret >= 0)
			ret = start_builds(c, err);
		note_built(c);
		change_turns(c);
		if (ret >= 0 && (!c->takes_turns || !c->is_building))
			ret = hand_out(c, err);
		share_processors(c);
		/* Sync here: fsync() takes milliseconds, and the lanes are busy
		 * meanwhile. */
		if (ret >= 0)
			ret = kb_journal_sync(&c->session->run.journal, err);
		if (ret >= 0 && c->work.source)
			ret = c->work.source->synced(c->work.source->context, err);
		if (ret >= 0 && is_waiting(c))
			ret = kb_crew_wait(c, err);
	}
	for (size_t i = 0; i < c->member_count && ret < 0; i++)
		kb_lane_end(&c->members[i].lane);
	return ret;
}
