/* A crew's queue while its source adds to it. */

#include "crew/crew.h"

#include <string.h>

#include "base/alloc.h"

static bool is_wanted_before(const struct kb_job *a, const struct kb_job *b)
{
	return a->priority > b->priority;
}

/* Jobs whose builds were begun leave the order. */
void kb_crew_add(struct kb_crew *c, struct kb_job *job)
{
	size_t at;

	memmove(c->order, c->order + c->next_to_build,
		(c->order_count - c->next_to_build) * sizeof(*c->order));
	c->order_count -= c->next_to_build;
	c->next_to_build = 0;
	c->order = kb_grow(c->order, c->order_count, &c->order_capacity,
			   sizeof(struct kb_job *));
	for (at = c->order_count; at && is_wanted_before(job, c->order[at - 1]);
	     at--)
		c->order[at] = c->order[at - 1];
	c->order[at] = job;
	c->order_count++;
	job->stage = KB_STAGE_COUNT;
}

/* Returns how many there are without it. */
static size_t drop_from(struct kb_job *list[], size_t count,
			const struct kb_job *job)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i] != job)
			list[kept++] = list[i];
	return kept;
}

void kb_crew_drop(struct kb_crew *c, struct kb_job *job)
{
	c->order_count = c->next_to_build +
		drop_from(c->order + c->next_to_build,
			  c->order_count - c->next_to_build, job);
	c->at_builds_count = drop_from(c->at_builds, c->at_builds_count, job);
	kb_jobs_remove(&c->jobs, job);
}

void kb_crew_forget_builds(struct kb_crew *c)
{
	for (size_t i = 0; i < c->jobs.group_count; i++)
		for (size_t k = 0; k < c->jobs.groups[i].count; k++)
			c->jobs.groups[i].jobs[k]->build_count = 0;
	c->order_count = c->next_to_build = c->at_builds_count = 0;
	kb_builds_forget_all(&c->builds);
}
