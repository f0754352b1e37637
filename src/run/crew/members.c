#include "crew/members.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "crew/crew.h"
#include "crew/shown.h"
#include "json/json.h"
#include "session/in_lane.h"
#include "session/session.h"

/* Lanes that are lost at one job, or one lane before it has any. */
#define LOSSES_MAX 2

/* How often builds are looked at, whether they keep to their limits. */
#define LOOK_MS 50
#define WAIT_MS 500

size_t kb_crew_count_devices(const struct kb_crew *c)
{
	const struct kb_session_device *d = &c->session->machine.gpu;

	return d->is_cuda ? d->count / c->session->machine.launcher.ranks : 1;
}

size_t kb_crew_count_timers(const struct kb_crew *c)
{
	const size_t a_device = c->lanes_a_device ? c->lanes_a_device : 1;

	return c->is_single ? 1 : a_device * kb_crew_count_devices(c);
}

/* By turns: the first jobs are for different devices. */
size_t kb_crew_device_of(const struct kb_crew *c, size_t lane)
{
	return lane % kb_crew_count_devices(c);
}

bool kb_crew_has_turn(const struct kb_crew *c, size_t member)
{
	return c->is_screening[kb_crew_device_of(c, member)] ==
	       kb_crew_is_screener(c, member);
}

const char *kb_crew_device_id(const struct kb_crew *c, size_t device)
{
	return c->members[device].id;
}

/* Descriptors of others must be closed in time when these are gone. */
static void forget_others(struct kb_crew *c)
{
	for (size_t i = 0; i < c->member_count; i++)
		if (i != c->entering)
			kb_lane_forget(&c->members[i].lane);
	kb_builds_forget(&c->builds);
	if (c->work.source)
		c->work.source->forget(c->work.source->context);
}

static int be_lane(void *context, int fd, struct kb_err *err)
{
	struct kb_crew *c = context;
	int ret;

	forget_others(c);
	kb_processors_restore(&c->processors);
	ret = kb_session_enter_lane(c->session,
				    kb_crew_device_of(c, c->entering),
				    c->entering || c->is_quiet, err);
	if (ret >= 0)
		ret = kb_crew_serve(c, fd, err);
	if (c->work.kind->leave)
		c->work.kind->leave(c->work.lane);
	kb_session_leave_lane(c->session);
	return ret;
}

int kb_crew_start_member(struct kb_crew *c, size_t number, struct kb_err *err)
{
	struct kb_member *m = &c->members[number];

	c->entering = number;
	m->state = KB_MEMBER_STARTING;
	return kb_lane_start(&m->lane, be_lane, c, err);
}

/* The first report of all is the run's. */
static int take_report(struct kb_crew *c, struct kb_member *m,
		       const struct kb_json *report, struct kb_err *err)
{
	int ret = c->session->run.conditions.environment ?
		kb_session_check_report(c->session, report, m->name, err) :
		kb_session_take_report(c->session, report, err);

	if (ret < 0)
		return ret;
	if (!m->id)
		m->id = kb_session_add_gpu(c->session,
					   kb_json_find(report, "environment"));
	m->state = KB_MEMBER_IDLE;
	return 0;
}

size_t kb_crew_count(const struct kb_crew *c, enum kb_member_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < c->member_count; i++)
		count += c->members[i].state == state;
	return count;
}

void kb_crew_move(struct kb_crew *c, struct kb_job *job, enum kb_stage to,
		  const struct kb_member *m)
{
	const enum kb_stage from = (enum kb_stage)job->stage;

	job->stage = to;
	if (to < KB_STAGE_COUNT)
		job->reached_ns[to] = kb_clock_ns();
	kb_crew_show_move(c, job, from, m ? (size_t)(m - c->members) : 0);
}

static void put_back(struct kb_crew *c, struct kb_member *m)
{
	struct kb_job *job = m->job;

	/* All of the job is done again, and said again. */
	kb_json_free(kb_steal(m->said));
	m->job = NULL;
	if (!job)
		return;
	kb_jobs_put_back(&c->jobs, job);
	kb_crew_move(c, job, KB_STAGE_WAITING, m);
}

/* By another lane of the same device. */
static bool is_taken_out(const struct kb_crew *c, const struct kb_member *m)
{
	for (size_t i = 0; i < c->member_count; i++)
		if (c->members[i].is_taken_out &&
		    !strcmp(c->members[i].name, m->name))
			return true;
	return false;
}

/* For the rest of the run, which says so once. */
static int take_out(struct kb_crew *c, struct kb_member *m, const char *reason,
		    const char *key, struct kb_err *err)
{
	int ret = 0;

	m->state = KB_MEMBER_GONE;
	if (is_taken_out(c, m))
		return 0;
	m->is_taken_out = true;
	if (m->id)
		ret = kb_session_take_out_gpu(c->session, m->id, reason, err);
	if (ret >= 0)
		kb_crew_show_taken_out(c, (size_t)(m - c->members), reason, key);
	return ret;
}

static bool has_timers(const struct kb_crew *c)
{
	for (size_t i = 0; i < kb_crew_count_timers(c); i++)
		if (c->members[i].state != KB_MEMBER_GONE)
			return true;
	return false;
}

/* On the device of a lane that is gone. */
static void give_up_screeners(struct kb_crew *c, const struct kb_member *m)
{
	const size_t device = kb_crew_device_of(c, (size_t)(m - c->members));

	for (size_t i = kb_crew_count_timers(c); i < c->member_count; i++) {
		if (kb_crew_device_of(c, i) != device)
			continue;
		kb_lane_end(&c->members[i].lane);
		put_back(c, &c->members[i]);
		c->members[i].state = KB_MEMBER_GONE;
	}
}

/* Not before its turn: memory that other lanes hold would count as other programs'
 * memory. */
static int start_again(struct kb_crew *c, struct kb_member *m,
		       struct kb_err *err)
{
	const size_t number = (size_t)(m - c->members);

	c->is_quiet = true;
	m->state = KB_MEMBER_RESTING;
	return kb_crew_has_turn(c, number) ?
		kb_crew_start_member(c, number, err) : 0;
}

/* A run that others ask for goes on without it. */
static void give_up(struct kb_crew *c, struct kb_job *job,
		    const struct kb_err *why)
{
	c->work.source->give_up(c->work.source->context, job, why->msg);
	kb_crew_drop(c, job);
}

/* A process is started anew, a device is given up. */
static int lose_member(struct kb_crew *c, struct kb_member *m,
		       const struct kb_err *why, struct kb_err *err)
{
	const bool is_device = why->kind == KB_ERR_DEVICE;
	const int losses = m->job ? ++m->job->losses : 0;
	struct kb_job *job;
	char key[KB_KEY_SIZE] = "";
	int ret = 0;

	if (m->job)
		kb_key_format(key, m->job->key);
	kb_session_say(c->session, "%s: %s%s%s", m->name, why->msg,
		       m->job ? "; it was at " : "", key);
	m->losses++;
	job = m->job;
	put_back(c, m);
	if (is_device)
		ret = take_out(c, m, why->msg, key, err);
	if (ret < 0)
		return ret;
	if (losses >= LOSSES_MAX && c->work.source)
		give_up(c, job, why);
	else if (losses >= LOSSES_MAX)
		return kb_err(err, is_device ? KB_ERR_DEVICE : KB_ERR_SYS,
			      "problem '%s': %d lanes were lost at it", key,
			      losses);
	if (!is_device && m->losses <= LOSSES_MAX)
		return start_again(c, m, err);
	m->state = KB_MEMBER_GONE;
	give_up_screeners(c, m);
	if (has_timers(c))
		return 0;
	return is_device ? kb_err_take(err, why) :
		kb_err(err, KB_ERR_SYS, "%s: %s, again and again", m->name,
		       why->msg);
}

/* Its job is judged alone. Whether the device has failed is found out by a lane that
 * times. */
static void lose_screener(struct kb_crew *c, struct kb_member *m,
			  const struct kb_err *why)
{
	kb_session_say(c->session, "%s: %s; it was screening", m->name,
		       why->msg);
	if (m->job)
		m->job->is_screened = true;
	m->state = why->kind != KB_ERR_DEVICE && ++m->losses <= LOSSES_MAX ?
		KB_MEMBER_RESTING : KB_MEMBER_GONE;
	put_back(c, m);
}

void kb_crew_rest(struct kb_crew *c, size_t device)
{
	for (size_t i = kb_crew_count_timers(c); i < c->member_count; i++)
		if (kb_crew_device_of(c, i) == device)
			kb_lane_ask_end(&c->members[i].lane);
	for (size_t i = kb_crew_count_timers(c); i < c->member_count; i++) {
		struct kb_member *m = &c->members[i];

		if (kb_crew_device_of(c, i) != device ||
		    m->state == KB_MEMBER_GONE)
			continue;
		kb_lane_end(&m->lane);
		m->state = KB_MEMBER_RESTING;
	}
}

int kb_crew_lay_down(struct kb_crew *c, size_t member, struct kb_err *err)
{
	const struct kb_member *m = &c->members[member];
	kb_auto(json) struct kb_json *message = kb_json_object();

	if (m->state != KB_MEMBER_IDLE)
		return 0;
	kb_json_set(message, "rest", kb_json_bool(true));
	return kb_lane_send(m->lane.fd, message, err);
}

static void keep_said(struct kb_member *m, const struct kb_json *said)
{
	if (!m->said)
		m->said = kb_json_array();
	kb_json_append(m->said, kb_json_copy(said));
}

/* A lane may be lost between what it says: what it has said of a job is taken
 * all at once, or not at all. */
static int take_said(struct kb_crew *c, struct kb_member *m, struct kb_err *err)
{
	kb_auto(json) struct kb_json *said = kb_steal(m->said);
	int ret = 0;

	for (const struct kb_json *v = said ? kb_json_first(said) : NULL;
	     v && ret >= 0; v = kb_json_next(v))
		ret = c->work.take(c->work.context, m->job,
				    (size_t)(m - c->members), v, err);
	return ret;
}

static int take_done(struct kb_crew *c, struct kb_member *m,
		     struct kb_err *err)
{
	struct kb_job *job = m->job;
	int ret = take_said(c, m, err);

	if (ret < 0)
		return ret;
	m->job = NULL;
	m->losses = 0;
	m->state = KB_MEMBER_IDLE;
	kb_crew_move(c, job, KB_STAGE_COUNT, m);
	if (c->work.source)
		kb_crew_drop(c, job);
	return 0;
}

void kb_crew_note_look(struct kb_crew *c, bool has_ended)
{
	kb_screen_share_add(&c->share, has_ended);
	if (c->chooses)
		c->screens = c->screeners > 1 &&
			     kb_screen_share_pays(&c->share, c->screens);
}

/* It is to be judged alone. */
static void take_screened(struct kb_crew *c, struct kb_member *m,
			  const char *doubt)
{
	kb_crew_note_look(c, false);
	m->job->is_screened = true;
	free(m->job->doubt);
	m->job->doubt = kb_xstrdup(doubt);
	m->losses = 0;
	m->state = KB_MEMBER_IDLE;
	put_back(c, m);
}

static int take_message(struct kb_crew *c, struct kb_member *m,
			const struct kb_json *message, struct kb_err *err)
{
	const struct kb_json *report = kb_json_find(message, "report");
	const struct kb_json *said = kb_json_find(message, "said");
	const struct kb_json *doubted = kb_json_find(message, "doubted");

	if (report)
		return take_report(c, m, report, err);
	if (doubted)
		take_screened(c, m, kb_json_type(doubted) == KB_JSON_STRING ?
			      kb_json_string_value(doubted) : NULL);
	else if (said)
		keep_said(m, said);
	else
		return take_done(c, m, err);
	return 0;
}

/* Whether it was lost, and not what it was asked for refused. */
static bool is_loss(const struct kb_crew *c, const struct kb_member *m,
		    const struct kb_err *why)
{
	/* A run does not begin with less than was asked for. */
	if (m->state == KB_MEMBER_STARTING && !c->order)
		return false;
	/* A run that others ask for goes on without a job, whatever becomes of it. */
	if (c->work.source)
		return why->kind != KB_ERR_INTERRUPTED;
	return why->kind == KB_ERR_TIMEOUT || why->kind == KB_ERR_DEVICE;
}

/* A lane that cannot do what it is asked for says why. One that is gone does
 * not: which it was has to be told for it. */
static int refuse_to_begin(const struct kb_member *m, const struct kb_err *why,
			   struct kb_err *err)
{
	if (why->kind != KB_ERR_TIMEOUT)
		return kb_err_take(err, why);
	return kb_err(err, KB_ERR_SYS, "%s: %s when it was started", m->name,
		      why->msg);
}

static int take_messages(struct kb_crew *c, struct kb_member *m,
			 struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;

	while (m->state != KB_MEMBER_GONE && m->state != KB_MEMBER_RESTING) {
		kb_auto(json) struct kb_json *message = NULL;
		int ret = kb_lane_take(&m->lane, &message, &why);

		if (!ret)
			return 0;
		if (ret > 0) {
			ret = take_message(c, m, message, err);
			if (ret < 0)
				return ret;
			continue;
		}
		if (kb_crew_is_screener(c, (size_t)(m - c->members))) {
			lose_screener(c, m, &why);
			return 0;
		}
		if (!is_loss(c, m, &why))
			return refuse_to_begin(m, &why, err);
		ret = lose_member(c, m, &why, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int kb_crew_wait(struct kb_crew *c, struct kb_err *err)
{
	/* Nothing is taken before the run begins. */
	const struct kb_crew_source *source = c->order ? c->work.source : NULL;
	const size_t watched = source ? source->watched_max : 0;
	kb_auto(mem) struct pollfd *fds = kb_xcalloc(
		c->member_count + c->builders + watched + 1, sizeof(*fds));
	size_t count = kb_builds_watch(&c->builds, fds);
	const int timeout_ms = count || source ? LOOK_MS : WAIT_MS;
	int ret;

	if (source)
		count += source->watch(source->context, fds + count, watched);

	for (size_t i = 0; i < c->member_count; i++)
		if (c->members[i].state != KB_MEMBER_GONE &&
		    c->members[i].state != KB_MEMBER_RESTING)
			fds[count++] = (struct pollfd){
				.fd = c->members[i].lane.fd, .events = POLLIN,
			};
	if (!kb_interrupted())
		(void)poll(fds, count, timeout_ms);
	if (kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	ret = kb_builds_look(&c->builds, err);
	for (size_t i = 0; i < c->member_count && ret >= 0; i++)
		ret = take_messages(c, &c->members[i], err);
	return ret;
}
