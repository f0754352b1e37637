#include "serving/waiting.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "crew/candidate_builds.h"
#include "manifest/suite.h"
#include "serving/client.h"
#include "serving/evidence.h"
#include "serving/memory.h"
#include "serving/server.h"
#include "session/session.h"
#include "store/beneath.h"

/* --- answers ------------------------------------------------------------ */

static int send_answer(struct kb_serve *s, struct kb_waiting *r,
		       const struct kb_buf *line, struct kb_err *err)
{
	int ret = 0;

	if (r->client) {
		kb_buf_add(&r->client->out, line->data, line->len);
		r->client->waiting--;
		r->client = NULL;
	}
	if (r->spooled) {
		ret = kb_spool_answer(&s->spool, r->spooled, line->data,
				      line->len, err);
		free(kb_steal(r->spooled));
		s->spooled--;
	}
	return ret;
}

bool kb_waiting_is_wanted(const struct kb_waiting *r)
{
	return r->client || r->spooled;
}

int kb_waiting_refuse(struct kb_serve *s, struct kb_waiting *r,
		  const char *why, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;

	kb_unserved_print(&line, r->asked.id, why);
	return send_answer(s, r, &line, err);
}

int kb_waiting_send(struct kb_serve *s, struct kb_err *err)
{
	int ret = kb_journal_sync(&s->session->run.journal, err);

	for (size_t i = 0; i < s->request_count && ret >= 0; i++) {
		struct kb_waiting *r = s->requests[i];

		if (!r->answer.len)
			continue;
		ret = send_answer(s, r, &r->answer, err);
		kb_buf_release(&r->answer);
		r->is_done = true;
	}
	return ret;
}

/* --- requests ----------------------------------------------------------- */

/* A job whose builds are not done may share one that was asked for in the name of
 * this candidate. */
static void drop_job(struct kb_serve *s, struct kb_waiting *r)
{
	if (!r->job)
		return;
	for (size_t i = 0; i < r->job->build_count; i++)
		r->is_held |= !s->crew.builds.items[r->job->builds[i]].is_done;
	kb_crew_drop(&s->crew, r->job);
	r->job = NULL;
}

static void free_request(struct kb_serve *s, struct kb_waiting *r)
{
	if (r->candidate.file)
		(void)unlinkat(s->loose.dirfd, r->candidate.file, 0);
	s->code_bytes -= r->asked.code_bytes;
	kb_serve_request_release(&r->asked);
	free(r->candidate.file);
	free(r->spooled);
	kb_buf_release(&r->answer);
	free(r);
}

/* Its client is gone. */
int kb_waiting_withdraw(struct kb_serve *s, struct kb_waiting *r,
		    const char *why, struct kb_err *err)
{
	if (r->job && r->job->is_out)
		return 0;
	drop_job(s, r);
	r->is_done = true;
	return kb_evidence_note(s->session, why, r->asked.is_quick, err);
}

void kb_waiting_forget(struct kb_serve *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->request_count; i++) {
		if (s->requests[i]->is_done && !s->requests[i]->is_held)
			free_request(s, s->requests[i]);
		else
			s->requests[kept++] = s->requests[i];
	}
	s->request_count = kept;
}

static bool is_selected(const struct kb_serve *s, struct kb_key key)
{
	const struct kb_session_run *run = &s->session->run;

	for (size_t i = 0; i < run->selected_count; i++)
		if (!kb_key_compare(run->selected[i], key))
			return true;
	return false;
}

static int64_t *attempts_at(struct kb_serve *s, struct kb_key key)
{
	const struct kb_suite *suite = &s->session->run.suite;

	return &s->attempts[kb_suite_find(suite, key) - suite->problems];
}

/* Where lanes and builds find it, as a bundle of one file. */
static int write_candidate(struct kb_serve *s, struct kb_waiting *r,
			   struct kb_err *err)
{
	struct kb_candidate *c = &r->candidate;
	kb_auto(fd) int fd = -1;
	int ret;

	*c = (struct kb_candidate){
		.key = r->asked.key,
		.sample_id = (int)(r->attempts % KB_SAMPLE_ID_MAX),
		.runtime = r->asked.runtime,
		.size_bytes = r->asked.code_bytes,
	};
	c->file = kb_candidate_file(c->key, c->sample_id, c->runtime);
	kb_digest_of(&c->digest, r->asked.code, r->asked.code_bytes);
	r->member = (struct kb_bundle_member){
		.name = c->file, .size_bytes = c->size_bytes,
		.digest = c->digest,
	};
	r->bundle = s->loose;
	r->bundle.members = &r->member;
	r->bundle.member_count = 1;
	fd = ret = kb_beneath_create(s->loose.dirfd, c->file, err);
	return ret < 0 ? ret : kb_file_write_all(fd, r->asked.code,
						 r->asked.code_bytes, c->file,
						 err);
}

void kb_waiting_add_builds(struct kb_serve *s, struct kb_waiting *r)
{
	kb_crew_add_candidate_builds(&s->crew, r->job, &r->bundle);
	kb_crew_add(&s->crew, r->job);
}

static void add_job(struct kb_serve *s, struct kb_waiting *r)
{
	struct kb_jobs *jobs = &s->crew.jobs;
	struct kb_job_group *g = kb_jobs_find_group(jobs, r->asked.key);

	if (!g)
		g = kb_jobs_add_group(jobs, r->asked.key, KB_UNKNOWN);
	r->job = kb_jobs_add(jobs, g, 1, 2);
	r->job->candidates[r->job->candidate_count++] = &r->candidate;
	r->job->priority = r->asked.priority;
	r->job->is_quick = r->asked.is_quick;
	kb_waiting_add_builds(s, r);
}

struct kb_served_as kb_waiting_as(const struct kb_serve *s,
				      const struct kb_waiting *r)
{
	return (struct kb_served_as){
		.id = r->asked.id, .is_quick = r->asked.is_quick,
		.attempts = r->attempts, .reward = s->asked.reward,
		.total_ns = kb_clock_ns() - r->came_ns,
	};
}

/* Returns 1 if there was something to remember. */
static int remember_request(struct kb_serve *s, struct kb_waiting *r,
			    struct kb_err *err)
{
	struct kb_served_as as = kb_waiting_as(s, r);
	const struct kb_served *v;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	if (!s->memory || !r->asked.is_quick)
		return 0;
	kb_digest_format(&r->candidate.digest, hex);
	v = kb_memory_find(s->memory, r->asked.key, r->asked.runtime, hex);
	if (!v)
		return 0;
	as.is_remembered = true;
	kb_served_print(&r->answer, v, &as);
	ret = kb_evidence_note(s->session, "memory", true, err);
	return kb_err_or_1(ret);
}

static int begin_request(struct kb_serve *s, struct kb_waiting *r,
			 struct kb_err *err)
{
	int ret;

	r->attempts = ++*attempts_at(s, r->asked.key);
	ret = write_candidate(s, r, err);
	if (ret >= 0)
		ret = remember_request(s, r, err);
	if (ret == 0)
		add_job(s, r);
	return ret < 0 ? ret : 0;
}

/* `client` or `spooled`, which is given away, is whose it is. */
int kb_waiting_take(struct kb_serve *s, struct kb_client *client,
			char *spooled, const char *text, size_t len,
			struct kb_err *err)
{
	struct kb_waiting *r = kb_xcalloc(1, sizeof(*r));
	struct kb_err why = KB_ERR_INIT;
	int ret;

	r->answer = (struct kb_buf)KB_BUF_INIT;
	r->client = client;
	r->spooled = spooled;
	r->came_ns = kb_clock_ns();
	if (client)
		client->waiting++;
	else
		s->spooled++;
	s->requests = kb_grow(s->requests, s->request_count,
			      &s->request_capacity,
			      sizeof(struct kb_waiting *));
	s->requests[s->request_count++] = r;
	ret = kb_serve_request_parse(&r->asked, &s->session->run.suite, text, len,
			       &why);
	s->code_bytes += r->asked.code_bytes;
	if (ret >= 0 && !is_selected(s, r->asked.key))
		ret = kb_err(&why, KB_ERR_INPUT, "request: this server does "
			     "not serve the problem");
	if (ret >= 0)
		return begin_request(s, r, err);
	r->is_done = true;
	return kb_waiting_refuse(s, r, why.msg, err);
}

size_t kb_waiting_count(const struct kb_serve *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->request_count; i++)
		count += !s->requests[i]->is_done;
	return count;
}


size_t kb_waiting_count_held(const struct kb_serve *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->request_count; i++)
		count += s->requests[i]->is_done && s->requests[i]->is_held;
	return count;
}

int kb_waiting_end_if_late(struct kb_serve *s, struct kb_waiting *r,
			   struct kb_err *err)
{
	const int64_t limit_ns = r->asked.deadline_ns;
	int ret;

	if (!limit_ns || !kb_waiting_is_wanted(r) || r->answer.len ||
	    kb_clock_ns() - r->came_ns < limit_ns)
		return 0;
	ret = kb_waiting_refuse(s, r, r->job && r->job->is_out ?
		     "deadline: it was being measured" :
		     "deadline: it was waiting, or being built", err);
	return ret < 0 ? ret : kb_waiting_withdraw(s, r, "deadline", err);
}

int kb_waiting_end_late(struct kb_serve *s, struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->request_count && ret >= 0; i++)
		ret = kb_waiting_end_if_late(s, s->requests[i], err);
	return ret;
}

void kb_waiting_release(struct kb_serve *s)
{
	for (size_t i = 0; i < s->request_count; i++)
		free_request(s, s->requests[i]);
	free(s->requests);
}
