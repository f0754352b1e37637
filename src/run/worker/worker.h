#ifndef KB_WORKER_WORKER_H
#define KB_WORKER_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "confine/process.h"
#include "manifest/status.h"
#include "worker/fault.h"
#include "worker/protocol.h"

struct kb_buf;
struct kb_err;

/*
 * A worker: a process that speaks worker/protocol.h, from the supervisor's
 * side. It runs until its first question, and has run no code of a problem or a
 * candidate by then. From then on it is stopped whenever it is not being asked
 * something: it runs only between a question and its answer.
 *
 * Functions that talk to it return 1 if it did as asked, 0 if it failed
 * (then `fault` says how, and the worker is of no more use), or a negative
 * kb_err_kind if we failed (KB_ERR_SYS, KB_ERR_INTERRUPTED).
 *
 * How long it may take, until it has failed with KB_STATUS_TIMED_OUT:
 *
 *	loading		load_timeout_ns, and of that quiet_load_ns in which no
 *			compiler is seen at work
 *	its first run	likewise, run_timeout_ns in which none is; a reference
 *			has load_timeout_ns without that
 *	anything else	run_timeout_ns
 *	all together	until end_ns, which is moved by the time in which one
 *			was seen while the first two were asked
 *
 * A compiler is seen at work if a process below the worker is busy
 * (confine/below.h) or the worker says so on its control page. A candidate can do
 * either without compiling, and so has load_timeout_ns.
 */

struct kb_worker {
	enum kb_side side;		/* set before the start, as the next */
	uint32_t ranks;			/* 1, but of a group */
	struct kb_process process;
	int channel_fd;
	int log_fd;
	int control_fd;
	struct kb_control *control;
	uint32_t go;			/* last value published */
	uint64_t gate_seed;		/* of the run behind KB_GATE_HOST, not
					   published yet */
	enum kb_phase phase;		/* KB_PHASE_LOAD until loaded */
	int64_t load_timeout_ns;
	int64_t run_timeout_ns;
	int64_t quiet_load_ns;		/* see below; 0: load_timeout_ns */
	int64_t end_ns;			/* of all that it is asked, by
					   kb_awake_ns(); 0: none */
	bool refused_gate;		/* by the last ack */
	bool first_run;			/* what is asked may compile */
	struct kb_request asked;	/* the run that is under way */
};

#define KB_WORKER_INIT { .ranks = 1, .process = KB_PROCESS_INIT, .channel_fd = -1, \
			 .log_fd = -1, .control_fd = -1 }

/*
 * Start the program of `spawn`, whose channel_fd and log_fd are filled in
 * here. Fails with KB_ERR_SYS; returns 0.
 */
int kb_worker_start(struct kb_worker *w, const struct kb_spawn *spawn,
		    size_t log_limit_bytes, struct kb_err *err);

/* Kill it, reap it, give everything back. Fine on KB_WORKER_INIT. Returns how
 * much processor time it had, with all that it started. */
int64_t kb_worker_end(struct kb_worker *w);

/* Ask for LOAD, with the control page before `fds`. */
int kb_worker_load(struct kb_worker *w, const uint8_t seed[KB_SEED_BYTES],
		   const int fds[], size_t fd_count, struct kb_fault *fault,
		   struct kb_err *err);

/* Ask for SLOT or GENERATE. The request's nonce is filled in here. */
int kb_worker_ask(struct kb_worker *w, struct kb_request *request,
		  const int fds[], size_t fd_count, struct kb_fault *fault,
		  struct kb_err *err);

/* Several requests of one kind, each with the next `fd_count` of `fds`, which
 * are answered in turn: fewer turns than as many questions. The worker is stopped
 * after the last. */
int kb_worker_ask_all(struct kb_worker *w, struct kb_request requests[],
		      size_t count, const int fds[], size_t fd_count,
		      struct kb_fault *fault, struct kb_err *err);

/*
 * A run, in three steps. Between them the worker is stopped, so that the
 * supervisor can prepare the slots after the first and look at them after
 * the second:
 *
 *	kb_worker_queue()	it stands at the gate
 *	kb_worker_go()		the gate opens and all calls are made;
 *				`elapsed_ns` is from before the worker is
 *				let go to after it has stopped again
 *	kb_worker_settle()	it tells how it went
 */
int kb_worker_queue(struct kb_worker *w, uint32_t first_slot, uint32_t count,
		    const uint8_t seed[KB_SEED_BYTES], struct kb_fault *fault,
		    struct kb_err *err);
int kb_worker_go(struct kb_worker *w, int64_t *elapsed_ns,
		 struct kb_fault *fault, struct kb_err *err);
int kb_worker_settle(struct kb_worker *w, struct kb_fault *fault,
		     struct kb_err *err);

/* The third step of a run and the first of the next one, without a stop
 * between them. What it tells of the run before comes first. */
int kb_worker_settle_and_queue(struct kb_worker *w, uint32_t first_slot,
			       uint32_t count,
			       const uint8_t seed[KB_SEED_BYTES],
			       struct kb_fault *fault, struct kb_err *err);

/*
 * A run on a device, whose clock is read by the caller:
 *
 *	kb_worker_queue_begin()		it is asked, and let go
 *	kb_worker_queue_finish()	the calls are queued behind the gate;
 *					the worker is stopped, the device is
 *					not
 *	kb_worker_gate_value()		what opens the gate, for the device to
 *					write to `go` of the control page
 *	kb_worker_await_done()		it has said that it is done
 *	kb_worker_settle()		as above
 *
 * Other workers may be asked between the first two. If calls cannot be queued
 * behind KB_GATE_STREAM within `patience_ns` of the second, because queueing
 * one waits for another, the gate is opened: then they run while they are
 * queued, and such a run has no time. It must be settled as well. A run that
 * is refused has nothing to settle.
 */
enum kb_queued {
	KB_QUEUED,
	KB_QUEUED_LATE,			/* the gate had to be opened */
	KB_QUEUE_REFUSED,		/* KB_ACK_NO_GATE */
};

int kb_worker_queue_begin(struct kb_worker *w, uint32_t count,
			  enum kb_gate gate,
			  const uint8_t seed[KB_SEED_BYTES],
			  struct kb_fault *fault, struct kb_err *err);
int kb_worker_queue_finish(struct kb_worker *w, int64_t patience_ns,
			   enum kb_queued *how, struct kb_fault *fault,
			   struct kb_err *err);
uint32_t kb_worker_gate_value(struct kb_worker *w);

/* For the device to write to `seed` before, if the gate is KB_GATE_HOST. */
uint64_t kb_worker_gate_seed(const struct kb_worker *w);

/* A worker that stands at KB_GATE_HOST is let go on to it, and watches it.
 * As kb_worker_ask(). */
int kb_worker_let_go(struct kb_worker *w, struct kb_fault *fault,
		     struct kb_err *err);

/* Spin, for no sleep is as exact. False if `patience_ns` passed first, without
 * pauses since kb_pause_begin(). */
bool kb_worker_await_done(const struct kb_worker *w, int64_t patience_ns);

/* Stop a worker that was let go on. As kb_worker_ask(). */
int kb_worker_halt(struct kb_worker *w, struct kb_fault *fault,
		   struct kb_err *err);

#endif
