#include "serving/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "manifest/result.h"
#include "score/reward.h"
#include "serving/client.h"
#include "serving/evidence.h"
#include "serving/memory.h"
#include "serving/waiting.h"
#include "session/session.h"

#define CLIENTS_MAX 128
#define CODE_BYTES_MAX ((size_t)64 << 20)	/* of all that wait */

/* Claimed from a spool for each lane, so that other servers have something to do. */
#define SPOOLED_A_LANE 4

/* Jobs of one problem in a row while others wait: its reference takes as long to
 * start as many candidates to be judged. */
#define IN_A_ROW_MAX 32

/* Builds that are known, and requests that are held for one of them, before both
 * are forgotten. */
#define BUILDS_MAX 8192
#define HELD_MAX 1024

/* What readers have to take their last answers, before evidence is written. */
#define FLUSH_NS (5 * KB_NS_PER_S)

/* Lines of the evidence for each verdict in an evaluation, at most. */
#define LINES_A_VERDICT_MAX 16

/* The bound of a journal, which is in memory, too. A journal of 1 GiB cannot be
 * recovered. */
#define EVIDENCE_BYTES_MAX ((off_t)256 << 20)

/* --- what clients send -------------------------------------------------- */

static bool has_room(const struct kb_serve *s)
{
	return kb_waiting_count(s) < (size_t)s->asked.queue_max &&
	       s->code_bytes < CODE_BYTES_MAX && !s->crew.is_held;
}

/* One client cannot fill the memory for all. */
static bool may_ask(const struct kb_serve *s, const struct kb_client *c)
{
	return has_room(s) &&
	       c->waiting * s->client_count < (size_t)s->asked.queue_max;
}

static int take_line(struct kb_serve *s, struct kb_client *c, bool *took,
		     struct kb_err *err)
{
	const char *line;
	size_t len;

	if (!may_ask(s, c) || c->is_gone || !kb_client_line(c, &line, &len))
		return 0;
	*took = true;
	return len ? kb_waiting_take(s, c, NULL, line, len, err) : 0;
}

/* A line of each in turn, as long as any has one. */
static int take_lines(struct kb_serve *s, struct kb_err *err)
{
	bool took = true;
	int ret = 0;

	while (took && ret >= 0) {
		took = false;
		for (size_t i = 0; i < s->client_count && ret >= 0; i++)
			ret = take_line(s, s->clients[(s->turn + i) %
						      s->client_count],
					&took, err);
		s->turn++;
	}
	return ret;
}

static int take_spooled(struct kb_serve *s, struct kb_err *err)
{
	int ret = 0;

	while (s->has_spool && ret >= 0 &&
	       s->spooled < SPOOLED_A_LANE * s->crew.member_count &&
	       has_room(s)) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
		char *name;
		const int got = kb_spool_take(&s->spool, &name, &text);

		if (!got)
			return 0;
		if (got > 0) {
			ret = kb_waiting_take(s, NULL, name, text.data, text.len,
					   err);
			continue;
		}
		kb_unserved_print(&line, NULL, text.data);
		ret = kb_spool_answer(&s->spool, name, line.data, line.len, err);
		free(name);
	}
	return ret;
}

/* --- clients that come and go ------------------------------------------- */

static void add_client(struct kb_serve *s, struct kb_client *c)
{
	s->clients = kb_xreallocarray(s->clients, s->client_count + 1,
				      sizeof(struct kb_client *));
	s->clients[s->client_count++] = c;
}

static void accept_clients(struct kb_serve *s)
{
	while (s->listen_fd >= 0 && s->client_count < CLIENTS_MAX) {
		const int fd = kb_socket_accept(s->listen_fd);

		if (fd < 0)
			return;
		add_client(s, kb_client_new(fd, fd));
	}
}

static int leave_client(struct kb_serve *s, const struct kb_client *c,
			struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->request_count && ret >= 0; i++) {
		struct kb_waiting *r = s->requests[i];

		if (r->client != c)
			continue;
		r->client = NULL;
		/* The answer has not been sent yet. */
		if (r->answer.len)
			r->is_done = true;
		else
			ret = kb_waiting_withdraw(s, r, "withdrawn", err);
	}
	return ret;
}

/* Clients of a socket come and go, but who gave us standard output relies on it. */
static void note_loss(struct kb_serve *s, const struct kb_client *c)
{
	if (c->is_gone && c->in_fd != c->out_fd && (c->waiting || c->out.len))
		s->lost_errno = c->why_gone ? c->why_gone : EPIPE;
}

static bool is_finished(const struct kb_client *c)
{
	return c->is_gone || (c->at_end && !c->waiting && !c->out.len &&
			      !kb_client_has_line(c));
}

static int move_clients(struct kb_serve *s, struct kb_err *err)
{
	size_t kept = 0;
	int ret = 0;

	for (size_t i = 0; i < s->client_count; i++)
		kb_client_move(s->clients[i], may_ask(s, s->clients[i]));
	for (size_t i = 0; i < s->client_count; i++) {
		struct kb_client *c = s->clients[i];

		note_loss(s, c);
		if (ret >= 0 && c->is_gone)
			ret = leave_client(s, c, err);
		if (ret >= 0 && is_finished(c))
			kb_client_free(c);
		else
			s->clients[kept++] = c;
	}
	s->client_count = kept;
	return ret;
}

/* --- what time brings --------------------------------------------------- */

/* The code of requests that are held takes room until they are forgotten. */
static bool has_many_builds(const struct kb_serve *s)
{
	const size_t held = kb_waiting_count_held(s);

	/* A job that waits has two at most, which it has afterwards, too. */
	return s->crew.builds.count > BUILDS_MAX + 2 * s->crew.jobs.count ||
	       held > HELD_MAX || (held && s->code_bytes >= CODE_BYTES_MAX);
}

/* Jobs under way end, then all builds are forgotten, and with them files that
 * they may have read. */
static void forget_builds(struct kb_serve *s)
{
	if (!s->crew.is_held)
		s->crew.is_held = has_many_builds(s);
	if (!s->crew.is_held || !kb_crew_rests(&s->crew))
		return;
	kb_crew_forget_builds(&s->crew);
	for (size_t i = 0; i < s->request_count; i++) {
		s->requests[i]->is_held = false;
		if (s->requests[i]->job)
			kb_waiting_add_builds(s, s->requests[i]);
	}
	s->crew.is_held = false;
}

static bool has_much_evidence(const struct kb_serve *s)
{
	const size_t every = (size_t)s->asked.bundle_every;
	const struct kb_journal *j = &s->session->run.journal;

	/* Clients that ask and go away leave lines, too. */
	return s->verdict_count >= every ||
	       j->count >= LINES_A_VERDICT_MAX * every ||
	       lseek(j->fd, 0, SEEK_CUR) >= EVIDENCE_BYTES_MAX;
}

static int renew_evidence(struct kb_serve *s, struct kb_err *err)
{
	int ret;

	if (!has_much_evidence(s))
		return 0;
	s->verdict_count = 0;
	ret = kb_evidence_close(s->session, err);
	return ret < 0 ? ret : kb_evidence_begin(
		s->session, s->asked.reward ? s->asked.reward->name : NULL, err);
}

/* --- for the crew ------------------------------------------------------- */

static bool may_come(const struct kb_serve *s)
{
	return s->listen_fd >= 0 || s->has_spool || s->client_count ||
	       kb_waiting_count(s);
}

static int look_round(void *context, struct kb_err *err)
{
	struct kb_serve *s = context;
	int ret = renew_evidence(s, err);

	kb_evidence_touch(s->session, &s->touched_ns);
	accept_clients(s);
	if (ret >= 0)
		ret = move_clients(s, err);
	if (ret >= 0)
		ret = take_lines(s, err);
	if (ret >= 0 && s->has_spool)
		ret = kb_spool_beat(&s->spool, err);
	if (ret >= 0)
		ret = take_spooled(s, err);
	if (ret >= 0)
		ret = kb_waiting_end_late(s, err);
	if (ret < 0)
		return ret;
	kb_waiting_forget(s);
	forget_builds(s);
	return may_come(s);
}

static int after_sync(void *context, struct kb_err *err)
{
	return kb_waiting_send(context, err);
}

static size_t watch_sources(void *context, struct pollfd fds[], size_t most)
{
	const struct kb_serve *s = context;
	size_t count = 0;

	if (s->listen_fd >= 0 && s->client_count < CLIENTS_MAX)
		fds[count++] = (struct pollfd){ s->listen_fd, POLLIN, 0 };
	for (size_t i = 0; i < s->client_count && count + 2 <= most; i++)
		count += kb_client_watch(s->clients[i], fds + count,
					 may_ask(s, s->clients[i]));
	return count;
}

static struct kb_waiting *find_request(const struct kb_serve *s,
					     const struct kb_job *job)
{
	for (size_t i = 0; i < s->request_count; i++)
		if (s->requests[i]->job == job)
			return s->requests[i];
	KB_BUG("a lane did what nobody asked for");
}

static void give_up(void *context, const struct kb_job *job, const char *why)
{
	struct kb_serve *s = context;
	struct kb_waiting *r = find_request(s, job);
	kb_auto(mem) char *text = kb_xasprintf("lanes were lost at it: %s", why);

	r->job = NULL;
	if (kb_waiting_is_wanted(r))
		kb_unserved_print(&r->answer, r->asked.id, text);
	else
		r->is_done = true;
	(void)kb_evidence_note(s->session, "lost", r->asked.is_quick, NULL);
}

static void print_answer(struct kb_serve *s, struct kb_waiting *r,
			 const struct kb_served *v)
{
	const int64_t *reached_ns = r->job->reached_ns;
	struct kb_served_as as = kb_waiting_as(s, r);

	if (reached_ns[KB_STAGE_BUILDING])
		as.built_ns = reached_ns[KB_STAGE_WAITING] -
			      reached_ns[KB_STAGE_BUILDING];
	as.measured_ns = kb_clock_ns() - (reached_ns[KB_STAGE_TIMING] ?
		reached_ns[KB_STAGE_TIMING] : reached_ns[KB_STAGE_SCREENING]);
	kb_served_print(&r->answer, v, &as);
}

static int take_said(void *context, const struct kb_job *job, size_t device,
		     const struct kb_json *said, struct kb_err *err)
{
	struct kb_serve *s = context;
	struct kb_waiting *r = find_request(s, job);
	kb_auto(result) struct kb_result result = KB_RESULT_INIT;
	struct kb_served v;
	int ret = kb_result_from_json(&result, said, "a lane", err);

	if (ret < 0)
		return ret;
	kb_crew_complete_result(&s->crew, job, 0, device, &result);
	if (!job->is_screened)
		kb_crew_note_look(&s->crew, kb_eval_is_final(&result));
	ret = kb_evidence_add(s->session, &result, r->asked.runtime,
			      r->asked.code, r->asked.is_quick, err);
	if (ret < 0)
		return ret;
	s->verdict_count++;
	kb_served_from_result(&v, &result);
	if (s->memory && r->asked.is_quick)
		kb_memory_keep(s->memory, r->asked.key, r->asked.runtime, &v);
	ret = kb_waiting_end_if_late(s, r, err);
	if (kb_waiting_is_wanted(r))
		print_answer(s, r, &v);
	else
		r->is_done = true;
	kb_served_release(&v);
	r->job = NULL;
	return ret;
}

/* In a lane that is forked anew: a client is to notice when we are gone. */
static void forget_results(void *context)
{
	struct kb_serve *s = context;

	for (size_t i = 0; i < s->client_count; i++)
		kb_client_free(s->clients[i]);
	s->client_count = 0;
	if (s->listen_fd >= 0)
		close(s->listen_fd);
	s->listen_fd = -1;
}

/* --- from the beginning to the end -------------------------------------- */

static int open_loose(struct kb_serve *s, struct kb_err *err)
{
	const char *root = s->session->machine.launcher.scratch.root;

	s->loose.path = kb_xasprintf("%s/served", root);
	if (mkdir(s->loose.path, 0700) < 0)
		return kb_err_sys(err, "cannot make directory '%s'",
				  s->loose.path);
	s->loose.dirfd = open(s->loose.path,
			      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return s->loose.dirfd < 0 ?
		kb_err_sys(err, "cannot open directory '%s'", s->loose.path) : 0;
}

static int open_entrances(struct kb_serve *s, struct kb_err *err)
{
	const struct kb_serve_asked *a = &s->asked;
	int ret = 0;

	if (!a->socket && !a->spool)
		add_client(s, kb_client_new(
				   fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3),
				   fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)));
	if (a->socket)
		s->listen_fd = ret = kb_socket_listen(a->socket, &s->socket,
						      err);
	if (ret >= 0 && a->spool)
		ret = kb_spool_open(&s->spool, a->spool,
				    a->lease_s * KB_NS_PER_S, err);
	s->has_spool = ret >= 0 && a->spool;
	return ret < 0 ? ret : 0;
}

int kb_serve_open(struct kb_serve *s, struct kb_session *session,
		   const struct kb_serve_asked *asked, struct kb_err *err)
{
	int ret;

	s->session = session;
	s->asked = *asked;
	s->memory = asked->has_memory ? kb_memory_new() : NULL;
	s->attempts = kb_xcalloc(session->run.suite.problem_count + 1,
				 sizeof(*s->attempts));
	s->crew.jobs.in_a_row_max = IN_A_ROW_MAX;
	kb_crew_choose_screeners(&s->crew, session);
	s->source = (struct kb_crew_source){
		.look = look_round, .synced = after_sync,
		.watch = watch_sources, .give_up = give_up,
		.forget = forget_results, .context = s,
		.watched_max = 2 * CLIENTS_MAX + 2,
	};
	ret = open_loose(s, err);
	if (ret < 0)
		return ret;
	s->lane.session = session;
	s->lane.bundle = &s->loose;
	s->lane.is_loose = true;
	ret = kb_crew_open(&s->crew, session, &(struct kb_crew_work){
			.kind = &kb_eval_lane_kind, .lane = &s->lane,
			.take = take_said, .context = s, .source = &s->source,
		}, err);
	if (ret >= 0)
		ret = kb_evidence_recover(session, err);
	if (ret >= 0)
		ret = open_entrances(s, err);
	return ret < 0 ? ret : kb_evidence_begin(session, asked->reward ?
			asked->reward->name : NULL, err);
}

/* Returns how many bytes of answers are left. */
static size_t move_answers(struct kb_serve *s)
{
	size_t left = 0;

	for (size_t i = 0; i < s->client_count; i++) {
		const struct kb_client *c = s->clients[i];

		kb_client_move(s->clients[i], false);
		left += c->is_gone ? 0 : c->out.len;
	}
	return left;
}

/* Send each reader its answers. Who takes none for a second is not waited for. */
static void flush_clients(struct kb_serve *s)
{
	const int64_t end_ns = kb_clock_ns() + FLUSH_NS;
	size_t left = move_answers(s), before;

	for (int idle = 0; left && idle < 100 && kb_clock_ns() < end_ns;) {
		before = left;
		left = move_answers(s);
		idle = left < before ? 0 : idle + 1;
		if (idle)
			(void)poll(NULL, 0, 10);
	}
	for (size_t i = 0; i < s->client_count; i++)
		note_loss(s, s->clients[i]);
}

static void tell_the_rest(struct kb_serve *s)
{
	for (size_t i = 0; i < s->request_count; i++) {
		struct kb_waiting *r = s->requests[i];

		if (!r->client || r->is_done)
			continue;
		(void)kb_evidence_note(s->session, "withdrawn",
				       r->asked.is_quick, NULL);
		(void)kb_waiting_refuse(s, r, "the server was stopped", NULL);
	}
	flush_clients(s);
}

int kb_serve_run(struct kb_serve *s, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	const int ret = kb_crew_run(&s->crew, &why);
	int closed = kb_waiting_send(s, err);

	if (closed >= 0)
		tell_the_rest(s);
	if (closed >= 0)
		closed = kb_evidence_close(s->session, err);
	if (closed < 0)
		return closed;
	if (ret < 0 && ret != -KB_ERR_INTERRUPTED)
		return kb_err_take(err, &why);
	errno = s->lost_errno;
	return errno ? kb_err_sys(err, "cannot write standard output") : 0;
}

void kb_serve_release(struct kb_serve *s)
{
	kb_crew_close(&s->crew);
	kb_waiting_release(s);
	for (size_t i = 0; i < s->client_count; i++)
		kb_client_free(s->clients[i]);
	free(s->clients);
	if (s->listen_fd >= 0) {
		kb_socket_remove(s->asked.socket, &s->socket);
		close(s->listen_fd);
	}
	if (s->has_spool)
		kb_spool_close(&s->spool);
	if (s->loose.dirfd >= 0)
		close(s->loose.dirfd);
	if (s->loose.path)
		(void)kb_dir_remove(AT_FDCWD, s->loose.path, NULL);
	free(s->loose.path);
	free(s->attempts);
	kb_memory_free(s->memory);
	*s = (struct kb_serve)KB_SERVE_INIT;
}
