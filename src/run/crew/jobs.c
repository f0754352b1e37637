#include "crew/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static void free_job(struct kb_job *job)
{
	free(job->candidates);
	free(job->builds);
	free(job->doubt);
	free(job);
}

void kb_jobs_release(struct kb_jobs *j)
{
	for (size_t i = 0; i < j->group_count; i++) {
		for (size_t k = 0; k < j->groups[i].count; k++)
			free_job(j->groups[i].jobs[k]);
		free(j->groups[i].jobs);
	}
	free(j->groups);
	*j = (struct kb_jobs)KB_JOBS_INIT;
}

struct kb_job_group *kb_jobs_find_group(const struct kb_jobs *j,
					struct kb_key key)
{
	for (size_t i = 0; i < j->group_count; i++)
		if (!kb_key_compare(j->groups[i].key, key))
			return &j->groups[i];
	return NULL;
}

struct kb_job_group *kb_jobs_add_group(struct kb_jobs *j, struct kb_key key,
				       int64_t call_ns)
{
	struct kb_job_group *g;

	j->groups = kb_grow(j->groups, j->group_count, &j->group_capacity,
			    sizeof(*j->groups));
	g = &j->groups[j->group_count++];
	*g = (struct kb_job_group){ .key = key, .call_ns = call_ns };
	return g;
}

struct kb_job *kb_jobs_add(struct kb_jobs *j, struct kb_job_group *g,
			   size_t candidates, size_t builds)
{
	struct kb_job *job = kb_xcalloc(1, sizeof(*job));

	g->jobs = kb_grow(g->jobs, g->count, &g->capacity, sizeof(*g->jobs));
	*job = (struct kb_job){
		.key = g->key,
		.at = g->count,
		.number = j->added_count++,
		.candidates = kb_xcalloc(candidates + 1,
					 sizeof(*job->candidates)),
		.builds = kb_xcalloc(builds + 1, sizeof(*job->builds)),
	};
	g->jobs[g->count++] = job;
	j->count++;
	return job;
}

void kb_jobs_remove(struct kb_jobs *j, struct kb_job *job)
{
	struct kb_job_group *g = kb_jobs_find_group(j, job->key);

	g->out_count -= job->is_out;
	j->out_count -= job->is_out;
	if (job->at < g->first)
		g->first--;
	memmove(g->jobs + job->at, g->jobs + job->at + 1,
		(--g->count - job->at) * sizeof(struct kb_job *));
	for (size_t i = job->at; i < g->count; i++)
		g->jobs[i]->at = i;
	j->count--;
	free_job(job);
}

/* --- order ------------------------------------------------------------- */

struct place {
	int64_t call_ns;
	size_t at;
};

/* KB_UNKNOWN is below every time. */
static int by_call(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->call_ns != b->call_ns)
		return a->call_ns > b->call_ns ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

void kb_jobs_sort(struct kb_jobs *j)
{
	struct kb_job_group *sorted;
	struct place *places;

	if (!j->group_count)
		return;
	places = kb_xcalloc(j->group_count, sizeof(*places));
	sorted = kb_xcalloc(j->group_count, sizeof(*sorted));
	for (size_t i = 0; i < j->group_count; i++)
		/* Long ones first: one that is begun last would be alone at the
		 * end, while all other devices wait. qsort(3) keeps no order
		 * among equals, so that the place decides. */
		places[i] = (struct place){ j->groups[i].call_ns, i };
	qsort(places, j->group_count, sizeof(*places), by_call);
	for (size_t i = 0; i < j->group_count; i++)
		sorted[i] = j->groups[places[i].at];
	free(places);
	free(j->groups);
	j->groups = sorted;
	j->group_capacity = j->group_count;
}

/* The first of each of so many problems, then the second, and so on. */
static size_t add_block(struct kb_job **out, const struct kb_job_group *groups,
			size_t count)
{
	size_t n = 0;

	for (size_t k = 0, more = 1; more; k++) {
		more = 0;
		for (size_t i = 0; i < count; i++) {
			if (k < groups[i].count)
				out[n++] = groups[i].jobs[k];
			more |= k + 1 < groups[i].count;
		}
	}
	return n;
}

struct kb_job **kb_jobs_order(const struct kb_jobs *j, size_t lanes)
{
	struct kb_job **out = kb_xcalloc(j->count + 1, sizeof(struct kb_job *));
	size_t n = 0;

	for (size_t i = 0; i < j->group_count; i += lanes) {
		const size_t left = j->group_count - i;

		n += add_block(out + n, j->groups + i,
			       left < lanes ? left : lanes);
	}
	return out;
}

/* --- choice ------------------------------------------------------------ */

/* The functions that a choice of jobs asks. */
struct ready {
	bool (*is_ready)(void *context, const struct kb_job *job);
	void *context;
};

/* Jobs become ready in order, about: it is not worth to look far. */
#define LOOK_AHEAD 64

static struct kb_job *first_ready(struct kb_job_group *g,
				  const struct ready *r)
{
	size_t looked = 0;

	while (g->first < g->count && g->jobs[g->first]->is_out)
		g->first++;
	for (size_t i = g->first; i < g->count && looked < LOOK_AHEAD; i++) {
		struct kb_job *job = g->jobs[i];

		if (!job->is_out && r->is_ready(r->context, job))
			return job;
		/* A screen passes over all that have had theirs. */
		looked += !job->is_screened;
	}
	return NULL;
}

static struct kb_job *first_of_new(const struct kb_jobs *j,
				   const struct ready *r)
{
	for (size_t i = 0; i < j->group_count; i++) {
		struct kb_job *job = j->groups[i].is_begun ?
			NULL : first_ready(&j->groups[i], r);

		if (job)
			return job;
	}
	return NULL;
}

static struct kb_job *first_of_longest(const struct kb_jobs *j,
				       const struct ready *r)
{
	struct kb_job *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < j->group_count; i++) {
		struct kb_job_group *g = &j->groups[i];
		const size_t left = g->count - g->out_count;
		struct kb_job *job = left > most ? first_ready(g, r) : NULL;

		if (!job)
			continue;
		best = job;
		most = left;
	}
	return best;
}

/* A queue that is refilled is short: all of it is looked at. */
static struct kb_job *first_in_group(const struct kb_job_group *g, int priority,
				     const struct ready *r)
{
	for (size_t i = 0; i < g->count; i++)
		if (!g->jobs[i]->is_out && g->jobs[i]->priority >= priority &&
		    r->is_ready(r->context, g->jobs[i]))
			return g->jobs[i];
	return NULL;
}

static bool is_before(const struct kb_job *a, const struct kb_job *b)
{
	return !b || a->priority > b->priority ||
	       (a->priority == b->priority && a->number < b->number);
}

/* The first of the highest priority, by when it was added, among all problems. */
static struct kb_job *first_added(const struct kb_jobs *j, const struct ready *r)
{
	struct kb_job *best = NULL;

	for (size_t i = 0; i < j->group_count; i++) {
		const struct kb_job_group *g = &j->groups[i];

		for (size_t k = 0; k < g->count; k++)
			if (!g->jobs[k]->is_out && is_before(g->jobs[k], best) &&
			    r->is_ready(r->context, g->jobs[k]))
				best = g->jobs[k];
	}
	return best;
}

static struct kb_job *choose_of_stream(const struct kb_jobs *j,
				       const struct kb_job_group *own,
				       const struct ready *r)
{
	struct kb_job *first = first_added(j, r);
	struct kb_job *job = first && own && own->in_a_row < j->in_a_row_max ?
		first_in_group(own, first->priority, r) : NULL;

	return job ? job : first;
}

static struct kb_job *choose_job(const struct kb_jobs *j, struct kb_key current,
				 const struct ready *r)
{
	struct kb_job_group *own = current.level ?
		kb_jobs_find_group(j, current) : NULL;
	struct kb_job *job;

	if (j->in_a_row_max)
		return choose_of_stream(j, own, r);
	job = own ? first_ready(own, r) : NULL;
	if (!job)
		job = first_of_new(j, r);
	return job ? job : first_of_longest(j, r);
}

struct kb_job *kb_jobs_peek(struct kb_jobs *j, struct kb_key current,
			    bool (*is_ready)(void *context,
					     const struct kb_job *job),
			    void *context)
{
	const struct ready r = { is_ready, context };

	return choose_job(j, current, &r);
}

struct kb_job *kb_jobs_next(struct kb_jobs *j, struct kb_key current,
			    bool (*is_ready)(void *context,
					     const struct kb_job *job),
			    void *context)
{
	struct kb_job *job = kb_jobs_peek(j, current, is_ready, context);
	struct kb_job_group *g;

	if (!job)
		return NULL;
	g = kb_jobs_find_group(j, job->key);
	g->in_a_row = kb_key_compare(current, job->key) ? 1 : g->in_a_row + 1;
	g->is_begun = true;
	g->out_count++;
	j->out_count++;
	job->is_out = true;
	return job;
}

/* Count the jobs that a choice would consider. */
static size_t count_ready(struct kb_job_group *g, size_t most,
			  const struct ready *r)
{
	size_t count = 0, looked = 0;

	for (size_t i = g->first;
	     i < g->count && looked < LOOK_AHEAD && count < most; i++) {
		const struct kb_job *job = g->jobs[i];

		count += !job->is_out && r->is_ready(r->context, job);
		looked += !job->is_screened;
	}
	return count;
}

size_t kb_jobs_count(struct kb_jobs *j, size_t most,
		     bool (*is_ready)(void *context, const struct kb_job *job),
		     void *context)
{
	const struct ready r = { is_ready, context };
	size_t count = 0;

	for (size_t i = 0; i < j->group_count && count < most; i++)
		count += count_ready(&j->groups[i], most - count, &r);
	return count;
}

size_t kb_jobs_left(const struct kb_jobs *j)
{
	return j->count - j->out_count;
}

void kb_jobs_put_back(struct kb_jobs *j, struct kb_job *job)
{
	struct kb_job_group *g = kb_jobs_find_group(j, job->key);

	job->is_out = false;
	g->out_count--;
	j->out_count--;
	if (job->at < g->first)
		g->first = job->at;
}
