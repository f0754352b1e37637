#ifndef KB_CLI_PROGRESS_H
#define KB_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/time_left.h"
#include "manifest/status.h"

struct kb_buf;
struct kb_err;
struct kb_json;

/*
 * How far a long run is. On a terminal, if TERM does not say "dumb" or nothing,
 * one line that renews itself: done and total, time left if that can be told, how
 * many there are of each status, what each device is at, and how many wait at
 * which stage, as far as there is room. Otherwise a plain line for each item, and
 * after a minute and each minute from then on one that sums up. Both on standard
 * error. Beside it, if asked for, a file of events, one JSON object a line, for
 * programs.
 */
#define KB_PROGRESS_STAGES 4

struct kb_progress {
	size_t total;
	size_t done;
	size_t resumed;		/* done by an earlier run */
	size_t counts[KB_STATUS_COUNT];
	size_t timed;		/* of those that are correct */
	int64_t summed_ns;	/* when it was summed up last */
	int64_t start_ns;
	struct kb_time_left left;	/* from when the first was begun in
					   earnest: what was before is no
					   measure of the rest */
	const char *stages[KB_PROGRESS_STAGES];	/* their names, as they came */
	size_t stage_counts[KB_PROGRESS_STAGES];
	char (*devices)[32];	/* what each is at; owned */
	size_t device_count;
	bool terminal;
	int events_fd;		/* -1: none */
	const char *events_path;
};

/*
 * `events_path` may be NULL; else events are appended to that file, until that
 * fails: a warning says so once, and there are no more. Fails with KB_ERR_SYS
 * if it cannot be opened.
 */
int kb_progress_begin(struct kb_progress *p, size_t total,
		      const char *events_path, struct kb_err *err);

/* An item that is correct and has a time: said before the item is. */
void kb_progress_timed(struct kb_progress *p);

/* An item that an earlier run has done. */
void kb_progress_resume(struct kb_progress *p, enum kb_status status);

/* An item that was done now: `line` is for people, NULL to say nothing,
 * `event` for programs ("done", "total" and "elapsed_ms" are added to it). One
 * that is missing took no time, and says nothing of how long others take. */
void kb_progress_item(struct kb_progress *p, enum kb_status status,
		      const char *line, struct kb_json *event);

/*
 * The count of each status, and how many correct ones have a time if any has,
 * as "correct 12 (timed 10), build_failed 15, mismatch 8": those that went well
 * first, of the others those that there are most of. Nothing if there are none.
 */
void kb_progress_sum(struct kb_buf *out, const struct kb_progress *p);

/*
 * Items have got from one stage, or NULL, to another, or NULL if they are done;
 * names are borrowed for good. `device` counts from 0, and `item` is what it is
 * at from now on; NULL if none is.
 */
void kb_progress_move(struct kb_progress *p, const char *from, const char *to);
void kb_progress_device(struct kb_progress *p, size_t device,
			const char *item);

/* An event that is no item: as kb_progress_item() without a line. */
void kb_progress_event(struct kb_progress *p, struct kb_json *event);

/* Leaves the terminal's line as it is and ends it. */
void kb_progress_end(struct kb_progress *p);

/* The same of a run that has a journal and ended with `ret`, which is handed
 * back: if it was interrupted `err` says how many of its `items`, such as
 * "problems", are done, and how to go on. */
int kb_progress_end_run(struct kb_progress *p, int ret, const char *items,
			struct kb_err *err);

/* "1.23 ms" and the like, for people: three digits and a unit. */
#define KB_DURATION_SIZE 24
void kb_duration_format(char out[KB_DURATION_SIZE], int64_t ns);

#endif
