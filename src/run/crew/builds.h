#ifndef KB_CREW_BUILDS_H
#define KB_CREW_BUILDS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/runtime.h"
#include "store/digest.h"
#include "worker/building.h"
#include "worker/prepared.h"

struct kb_bundle;
struct kb_err;
struct kb_outcome;
struct kb_session;

/*
 * Builds of a run, each made once, before it is wanted and beside what else
 * goes on: several at a time, in the order in which they are asked for. What
 * they come to is kept under a key that says all that it depends on, where
 * lanes look for it: what was made in the store, for later runs, and all else in
 * a folder of this run's own.
 */

/* Where in a store. */
#define KB_BUILDS_DIR ".builds"

/* Code in a bundle. */
struct kb_code_file {
	enum kb_runtime runtime;
	struct kb_digest digest;	/* of its bytes */
	const struct kb_bundle *bundle;	/* borrowed, as is the name */
	const char *file;
	size_t bytes_max;
};

struct kb_build {
	struct kb_prepared id;
	struct kb_code_file code;
	struct kb_code_file problem;	/* of Python; else no file */
	bool is_headers;		/* torch's, without a file: see
					   kb_builds_begin_headers() */
	bool is_begun, is_done;
	char *in_place;			/* why it is built where it runs, or
					   NULL; owned */
	int64_t wall_ns;		/* that it took; 0: it was kept */
};

struct kb_builds {
	struct kb_launcher *launcher;	/* borrowed */
	char base[KB_DIGEST_HEX_SIZE];	/* of every key */
	char *kept, *own;		/* folders; the first NULL: nothing is
					   kept */
	char **devices;			/* see kb_building_start(); owned */
	uint64_t kept_bytes_max;
	struct kb_build *items;		/* owned */
	size_t count, capacity;
	size_t *slots;			/* of items, by key, and one more */
	size_t slot_count;
	struct running *running;
	size_t room;			/* how many may run */
	size_t running_count;
	size_t done_count;
	size_t put_count;		/* since kept builds were trimmed */
	uint64_t put_bytes;
	bool has_begun_headers;
	size_t looked_count;		/* builds that were too few for it */
	char *headers;			/* a folder, once it is there; owned */
};

#define KB_BUILDS_INIT { .items = NULL }

/*
 * `room` builds at a time, for the conditions that the session has: to be
 * called when those are noted. Fails with KB_ERR_SYS.
 */
int kb_builds_open(struct kb_builds *b, struct kb_session *s, size_t room,
		   struct kb_err *err);

/* Kills what runs, and trims what is kept. */
void kb_builds_close(struct kb_builds *b);

/* While none runs: they have no numbers any more. */
void kb_builds_forget_all(struct kb_builds *b);

/* In a child that has no business with it: give up descriptors. */
void kb_builds_forget(struct kb_builds *b);

/* Note a build, which is there once, and return its number. What Python builds
 * may depend on `problem`, which native code has not: NULL. */
size_t kb_builds_add(struct kb_builds *b, const struct kb_code_file *code,
		     const struct kb_code_file *problem);

/* Code that ended in its build did so ahead, unless that was in place: add the
 * time to its outcome, whose own begins later. NULL is no build ahead. */
void kb_build_add_time(const struct kb_build *x, struct kb_outcome *o);

/* Are the builds of these numbers done? */
bool kb_builds_are_done(const struct kb_builds *b, const size_t numbers[],
			size_t count);

/* Is there room for another one? */
bool kb_builds_have_room(const struct kb_builds *b);

/* Begin one that is not begun: it is done at once if it was kept. Fails as
 * kb_building_start(). */
int kb_builds_begin(struct kb_builds *b, size_t number, struct kb_err *err);

/* Have torch's header compiled for builds of extensions, once, if there are many to come
 * and there is room. As kb_builds_begin(). */
int kb_builds_begin_headers(struct kb_builds *b, struct kb_err *err);

/* Descriptors to wait for, of those that run; there is room for them. */
size_t kb_builds_watch(const struct kb_builds *b, struct pollfd fds[]);

/* Take what has ended. Returns how many. Fails with KB_ERR_SYS,
 * KB_ERR_INTERRUPTED. */
int kb_builds_look(struct kb_builds *b, struct kb_err *err);

#endif
