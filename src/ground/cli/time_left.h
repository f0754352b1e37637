#ifndef KB_CLI_TIME_LEFT_H
#define KB_CLI_TIME_LEFT_H

#include <stddef.h>
#include <stdint.h>

/*
 * How long a run goes on, from when its items were done. Items differ: what
 * fails is over at once, and what hangs takes a minute. So nothing is said
 * unless the whole run and its second half give about the same.
 */
struct kb_time_left {
	int64_t begun_ns;		/* 0: not yet */
	int64_t *done_ns;		/* when each item was; owned */
	size_t count, capacity;
};

#define KB_TIME_LEFT_INIT { .begun_ns = 0 }
#define KB_TIME_LEFT_UNKNOWN (-1)

void kb_time_left_release(struct kb_time_left *t);

/* The first item is begun; of several calls the first counts. */
void kb_time_left_begin(struct kb_time_left *t, int64_t now_ns);
void kb_time_left_add(struct kb_time_left *t, int64_t now_ns);

/* For `left` items more, or KB_TIME_LEFT_UNKNOWN: of fewer than six items, or if
 * one of the two guesses is more than 1.5 times the other. */
int64_t kb_time_left_ns(const struct kb_time_left *t, int64_t now_ns,
			size_t left);

/* "40 s", "5 min", "2 h": as coarse as the guess is. */
#define KB_TIME_LEFT_SIZE 24
void kb_time_left_format(char out[KB_TIME_LEFT_SIZE], int64_t left_ns);

#endif
