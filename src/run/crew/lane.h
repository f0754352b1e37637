#ifndef KB_CREW_LANE_H
#define KB_CREW_LANE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

struct kb_json;

/*
 * A lane: a process of ours that measures on one device, forked by the one
 * that hands out the work and keeps the journal. The two send each other JSON
 * objects over a socket, each with its length before it. A lane runs our own
 * code, so what it says is believed; but it may be gone at any time.
 */
struct kb_lane {
	pid_t pid;			/* 0: there is none */
	int fd;				/* to the other side */
	struct kb_buf in;		/* what has come of the next message */
};

#define KB_LANE_INIT { .fd = -1, .in = KB_BUF_INIT }

/*
 * Fork one. In it, `run` is called, whose `fd` is its side, and when that
 * returns the process ends; that it has failed is said to the other side. When
 * this process is gone the lane is told to end, as by SIGTERM. Fails with
 * KB_ERR_SYS.
 */
int kb_lane_start(struct kb_lane *lane,
		  int (*run)(void *context, int fd, struct kb_err *err),
		  void *context, struct kb_err *err);

/* Ask it to end. Fine on KB_LANE_INIT. */
void kb_lane_ask_end(const struct kb_lane *lane);

/* Ask it to end, and wait until it has. Fine on KB_LANE_INIT. */
void kb_lane_end(struct kb_lane *lane);

/* In a child that has no business with it: give up what was inherited. */
void kb_lane_forget(struct kb_lane *lane);

/* Either side. Fails with KB_ERR_SYS; that nobody is there to receive it is no
 * failure. */
int kb_lane_send(int fd, const struct kb_json *message, struct kb_err *err);

/*
 * The next message that is there, which the caller frees. Returns 1; 0 if it
 * has not come yet; or fails: as the lane has failed if it has said so, else
 * with KB_ERR_TIMEOUT if it is gone, and how it ended.
 */
int kb_lane_take(struct kb_lane *lane, struct kb_json **message,
		 struct kb_err *err);

/* In a lane: wait for the next message. Returns 1; 0 if there will be none; or
 * fails with KB_ERR_SYS, KB_ERR_INTERRUPTED. */
int kb_lane_receive(int fd, struct kb_json **message, struct kb_err *err);

#endif
