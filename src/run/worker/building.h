#ifndef KB_WORKER_BUILDING_H
#define KB_WORKER_BUILDING_H

#include <stdbool.h>

#include "source/runtime.h"
#include "worker/build.h"
#include "worker/launch.h"
#include "worker/task.h"

struct kb_err;
struct kb_kept;

/*
 * A build that goes on by itself, without a device. Native code is compiled by
 * the fixed command line for it; Python is imported and may make a model, and
 * what it has left in its directory by then is what it has built.
 *
 * What it came to is a thing to keep (store/kept.h), whose outcome is
 *
 *	KB_BUILT_MADE		of native code there is one entry,
 *				KB_BUILT_PROGRAM; of Python all that it left
 *	KB_BUILT_IN_PLACE	it has to be built where it runs; the detail says
 *				why. Of Python that could not be imported to its
 *				end there is what it had left by then
 *	a status		as a build in its place would have ended; detail
 *				and log are what they would have been
 *
 * Only of the first is it certain that it would be so another time. A compiler
 * that was killed, neither by us nor for want of memory, is run once more before
 * it is a status: what the code does to it, it does again.
 */
#define KB_BUILT_MADE "made"
#define KB_BUILT_IN_PLACE "in_place"
#define KB_BUILT_PROGRAM KB_BUILD_OUTPUT

/* The files from the build of torch's header: see kb_torch_headers.py. */
#define KB_HEADERS_FILES "headers/torch/extension.h.gch", "headers/made_with"

struct kb_building {
	struct kb_launcher *launcher;	/* borrowed */
	enum kb_runtime runtime;
	struct kb_scratch_dir dir;
	struct kb_task task;
	struct kb_fault fault;		/* if it is not done */
	bool was_killed;		/* its compiler, which runs again */
	char *why_not;			/* it cannot be tried here, or NULL */
	size_t left_bytes_max;		/* set before it begins; 0: as of a
					   candidate */
};

#define KB_BUILDING_INIT { .task = KB_TASK_INIT }

/*
 * Begin. `problem` is that of Python, which says how a model is made; native code
 * needs none, and it may be NULL. `devices` are files that Python is not to see,
 * a list that ends with NULL; NULL where it may see all. Returns 1; 0 if there is
 * nothing to wait for; or fails as kb_launch(). The caller ends it in any case.
 */
int kb_building_start(struct kb_building *b, struct kb_launcher *l,
		      const struct kb_source *code,
		      const struct kb_source *problem,
		      const char *const devices[], struct kb_err *err);

/* Returns 1 while it runs, 0 when it does not, or fails as kb_task_poll(). */
int kb_building_poll(struct kb_building *b, struct kb_err *err);

/* The same when it no longer runs: 0. */
int kb_building_wait(struct kb_building *b, struct kb_err *err);

/* When it does not run: what it came to, into `k`, which is KB_KEPT_INIT.
 * Fails with KB_ERR_SYS. */
int kb_building_take(struct kb_building *b, struct kb_kept *k,
		     struct kb_err *err);

/* Kills it, gives everything back. Fine on KB_BUILDING_INIT. */
void kb_building_end(struct kb_building *b);

static inline void kb_cleanup_building(struct kb_building *b)
{
	kb_building_end(b);
}

#endif
