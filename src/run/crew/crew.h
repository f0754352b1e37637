#ifndef KB_CREW_CREW_H
#define KB_CREW_CREW_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crew/builds.h"
#include "crew/jobs.h"
#include "crew/processors.h"
#include "crew/screen_share.h"

struct kb_err;
struct kb_json;
struct kb_member;
struct kb_progress;
struct kb_result;
struct kb_session;

/*
 * Who does the work of a run. This process holds the journal, hands out jobs
 * and sees to builds; a lane for each device measures, or several lanes where
 * nothing is timed. What a lane was at when
 * it was lost is done again, by it when it has been started anew, or by
 * another; a job at which lanes are lost time and again ends the run.
 *
 * Builds go on beside the lanes. While a lane times they keep off some processors; if
 * these would be all, builds and lanes take turns.
 *
 * A run may screen its jobs first, by lanes of their own, several a device, which
 * look at a candidate each and time nothing. What of that would be the same alone
 * is the job's end; every other job is done afterwards as without a screen, when
 * those lanes are gone from the device (crew/screen.h) and their memory is given back.
 * Nothing that a candidate does to them reaches the lanes that time.
 */

/* Where a job is. */
enum kb_stage {
	KB_STAGE_BUILDING,
	KB_STAGE_WAITING,		/* built, for a lane */
	KB_STAGE_SCREENING,
	KB_STAGE_TIMING,
	KB_STAGE_COUNT,
};
_Static_assert((int)KB_STAGE_COUNT <= KB_JOB_STAGES_MAX, "jobs have room");

/* The functions of a program's lanes, each in a process of its own. `lane` is
 * of the kind, and is the run's as it was when the process was forked.
 * Functions fail with any kind of error. */
struct kb_lane_kind {
	/* Note the session's conditions, for its device. */
	int (*note_conditions)(void *lane, struct kb_err *err);

	/* Do a job, an object: its `samples` are its candidates, as a submission's
	 * record has them, and it is `quick` or not, and has its `doubt` or null. What it
	 * comes to is said by kb_crew_say(), one object for each. */
	int (*do_job)(void *lane, struct kb_key key, const struct kb_json *job,
		      int fd, struct kb_err *err);

	/* Look at a job while `others` screen on its device. Returns 1 if it
	 * has said what the job comes to; 0 if that has to be found out alone, and
	 * nothing was said: then `*doubt`, for the caller to free, is set if the
	 * candidate failed, and says how. NULL: these lanes never screen. */
	int (*screen)(void *lane, struct kb_key key, const struct kb_json *job,
		      uint32_t others, int fd, char **doubt,
		      struct kb_err *err);

	/* There will be no jobs for a while, or no more: give up what is on the
	 * device. NULL: nothing is. */
	void (*leave)(void *lane);
};

/*
 * Where jobs come from while others are done, for a run that ends when its source
 * says so: see kb_crew_add(). Functions fail with any kind.
 */
struct kb_crew_source {
	/* See what has come. Called again and again. Returns 1 if there may be more,
	 * 0 if there will be nothing. */
	int (*look)(void *context, struct kb_err *err);

	/* The session's journal is on the disk, with all that lanes have said. */
	int (*synced)(void *context, struct kb_err *err);

	/* Descriptors to wait for, so many at most. */
	size_t (*watch)(void *context, struct pollfd fds[], size_t most);

	/* Lanes were lost at a job, which nobody tries again; it is removed then. */
	void (*give_up)(void *context, const struct kb_job *job,
			const char *why);

	/* In a lane that was forked since: close what is others'. */
	void (*forget)(void *context);
	void *context;
	size_t watched_max;
};

/* The work of a crew. */
struct kb_crew_work {
	const struct kb_lane_kind *kind;
	void *lane;				/* of that kind; borrowed */

	/* Take the message about a job that `device` has done: once for each,
	 * and never of one at which a lane was lost. May fail. */
	int (*take)(void *context, const struct kb_job *job, size_t device,
		    const struct kb_json *said, struct kb_err *err);
	void *context;

	const struct kb_crew_source *source;	/* borrowed; NULL: all jobs are
						   there when the run begins */
	struct kb_progress *progress;		/* where jobs and devices are
						   shown; borrowed, or NULL */
	bool hides_stages;			/* only what a device is at */
};

struct kb_crew {
	size_t lanes_a_device;			/* set by the caller; 0: one */
	bool is_single;				/* by the caller: one lane in
						   all */
	size_t screeners;			/* lanes a device that screen;
						   below 2: none */
	bool chooses;				/* see kb_crew_note_look() */
	bool screens;				/* see kb_crew_screen() */
	struct kb_screen_share share;
	bool *is_screening;			/* of each device: owned */
	struct kb_session *session;		/* borrowed */
	struct kb_crew_work work;
	struct kb_jobs jobs;			/* filled by the caller */
	struct kb_builds builds;
	struct kb_member *members;		/* the lanes */
	size_t member_count;
	struct kb_processors processors;	/* before builds kept off some */
	size_t kept_off;			/* processors that builds keep off
						   while a lane times */
	bool can_share;				/* running builds can be given
						   these, and lose them again */
	bool has_shared;			/* builds have them now */
	size_t builders;			/* builds at a time; 0: none */
	bool is_held;				/* by a source: nothing is begun */
	bool takes_turns;			/* builds and lanes */
	bool is_building;			/* whose turn it is */
	size_t window;				/* jobs of this turn */
	struct kb_job **order;			/* as builds are wanted */
	size_t order_count, order_capacity;
	size_t next_to_build;			/* of these */
	struct kb_job **at_builds;		/* whose builds are not done */
	size_t at_builds_count, at_builds_capacity;
	size_t entering;			/* the lane that is forked */
	bool is_quiet;				/* a lane has said what there
						   is to say of conditions */
};

#define KB_CREW_INIT { .jobs = KB_JOBS_INIT, .builds = KB_BUILDS_INIT }

/*
 * Start the lanes of a session that is prepared, and wait until each has said
 * under which conditions; the session has them then, and the ids of all GPUs.
 * Fails as a lane does. Close it in any case.
 */
int kb_crew_open(struct kb_crew *c, struct kb_session *s,
		 const struct kb_crew_work *work, struct kb_err *err);
void kb_crew_close(struct kb_crew *c);

/* Before the crew is opened: as many lanes a device screen as --screen asks for, or
 * as fit and while that pays. */
void kb_crew_choose_screeners(struct kb_crew *c, const struct kb_session *s);

/* From now on screen what has not been handed out, if there are `screeners`. A crew
 * that `chooses` does so where there are many jobs. */
void kb_crew_screen(struct kb_crew *c);

/* A candidate was looked at for the first time, in a screen or not: has it ended by its
 * code? A crew that `chooses` screens while that pays. */
void kb_crew_note_look(struct kb_crew *c, bool has_ended);

/* For a source of jobs. Add: the job is in `jobs`, with its builds, and may be
 * done. Drop: the job is done, or no lane has it. */
void kb_crew_add(struct kb_crew *c, struct kb_job *job);
void kb_crew_drop(struct kb_crew *c, struct kb_job *job);

/* Is nothing under way, neither in a lane nor as a build? */
bool kb_crew_rests(const struct kb_crew *c);

/* While it rests: forget all builds. Jobs that are there have none then, and are to
 * be given theirs again, and added. What was kept is found again. */
void kb_crew_forget_builds(struct kb_crew *c);

/* Do all jobs. Fails with any kind; then the lanes are ended. */
int kb_crew_run(struct kb_crew *c, struct kb_err *err);

/* The recorded id of a device, or NULL. Where a device has several lanes, `device`
 * is the lane's number. */
const char *kb_crew_device_id(const struct kb_crew *c, size_t device);

/* The job's build of some code, or NULL if that is not built ahead: not every
 * candidate of a job is. */
const struct kb_build *kb_crew_find_build(const struct kb_crew *c,
					  const struct kb_job *job,
					  enum kb_runtime runtime,
					  const struct kb_digest *source);

/* Fill in the facts that a lane does not know: of the job's candidate of that
 * index, on that device. */
void kb_crew_complete_result(const struct kb_crew *c, const struct kb_job *job,
			     size_t candidate, size_t device,
			     struct kb_result *r);

/* In a lane, once it has its device: all that is asked of it. Fails as
 * kb_lane_receive() and the work. */
int kb_crew_serve(const struct kb_crew *c, int fd, struct kb_err *err);

/* In a lane. As kb_lane_send(). */
int kb_crew_say(int fd, const struct kb_json *said, struct kb_err *err);

#endif
