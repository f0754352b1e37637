#ifndef KB_CREW_JOBS_H
#define KB_CREW_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/key.h"

struct kb_candidate;

/*
 * The work of a run in jobs, each of which a lane does as a whole, and the
 * choice of the next job. Jobs of one problem are better done by one lane,
 * which has its reference running; the problems that take longest are better
 * begun first.
 */
#define KB_JOB_STAGES_MAX 4

struct kb_job {
	struct kb_key key;
	const struct kb_candidate **candidates;	/* the list is owned; none of a
						   reference alone */
	size_t candidate_count;
	size_t *builds;			/* that it needs, as their owner counts
					   them; owned */
	size_t build_count;
	size_t at;			/* of its group */
	int stage;			/* where it is, as its owner counts */
	int64_t reached_ns[KB_JOB_STAGES_MAX];	/* a stage, last; 0: never */
	int losses;			/* lanes that were lost at it */
	int priority;			/* those of a higher one are done first */
	uint64_t number;		/* as they were added, from 0 */
	bool is_quick;			/* by kb_policy_quicken() */
	bool is_out;			/* a lane has it, or it is done */
	bool is_screened;		/* it is to be judged alone */
	char *doubt;			/* how it failed in its screen, or NULL;
					   owned */
};

/* Jobs of one problem. */
struct kb_job_group {
	struct kb_key key;
	int64_t call_ns;		/* of its reference, or KB_UNKNOWN */
	struct kb_job **jobs;		/* owned; each stays where it is */
	size_t count, capacity;
	size_t out_count;
	size_t first;			/* all before it are out */
	size_t in_a_row;		/* handed out since a lane came to it from
					   another problem */
	bool is_begun;			/* some lane has had one of them */
};

struct kb_jobs {
	struct kb_job_group *groups;	/* owned */
	size_t group_count, group_capacity;
	size_t count, out_count;	/* of jobs */
	uint64_t added_count;
	size_t in_a_row_max;		/* set by the owner of a queue to which jobs
					   are added while others are done; else
					   0 */
};

#define KB_JOBS_INIT { .groups = NULL }

/* A problem to add jobs to; borrowed until the next one is added. Of the queue
 * that is endless each problem is there once. */
struct kb_job_group *kb_jobs_add_group(struct kb_jobs *j, struct kb_key key,
				       int64_t call_ns);

/* Its next job, with room for so many candidates and builds; borrowed until it
 * is removed. */
struct kb_job *kb_jobs_add(struct kb_jobs *j, struct kb_job_group *g,
			   size_t candidates, size_t builds);

/* A job that is done, or that nobody wants any more and no lane has. */
void kb_jobs_remove(struct kb_jobs *j, struct kb_job *job);

/* The jobs of a problem, or NULL. */
struct kb_job_group *kb_jobs_find_group(const struct kb_jobs *j,
					struct kb_key key);
void kb_jobs_release(struct kb_jobs *j);

/* When all are there: problems whose references take longest first, those of
 * which that is not known last; otherwise as they were added. */
void kb_jobs_sort(struct kb_jobs *j);

/*
 * The jobs in the order in which `lanes` lanes will want them, about: a list
 * of count pointers, which the caller frees.
 */
struct kb_job **kb_jobs_order(const struct kb_jobs *j, size_t lanes);

/*
 * The job that a lane gets which has done those of `current` last (level 0:
 * none), among those that are ready; it is out then. One of the same problem;
 * else the first of a problem that none has begun; else one of the problem that
 * has most left. NULL if none is ready.
 *
 * Where jobs are added meanwhile (in_a_row_max): of those with the highest
 * priority one of the same problem, unless that had so many in a row; else the
 * one that was added first. So no problem waits for ever.
 */
struct kb_job *kb_jobs_next(struct kb_jobs *j, struct kb_key current,
			    bool (*is_ready)(void *context,
					     const struct kb_job *job),
			    void *context);

/* The one that kb_jobs_next() would give; it stays where it is. */
struct kb_job *kb_jobs_peek(struct kb_jobs *j, struct kb_key current,
			    bool (*is_ready)(void *context,
					     const struct kb_job *job),
			    void *context);

/* How many there are that kb_jobs_next() could give, up to `most`. */
size_t kb_jobs_count(struct kb_jobs *j, size_t most,
		     bool (*is_ready)(void *context, const struct kb_job *job),
		     void *context);

/* How many are not out. */
size_t kb_jobs_left(const struct kb_jobs *j);

/* A job that is out was lost, and has to be done again. */
void kb_jobs_put_back(struct kb_jobs *j, struct kb_job *job);

static inline void kb_cleanup_jobs(struct kb_jobs *j)
{
	kb_jobs_release(j);
}

#endif
