#ifndef KB_TESTS_UNIT_WORKER_RIG_H
#define KB_TESTS_UNIT_WORKER_RIG_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "lib/programs.h"
#include "lib/tap.h"
#include "worker/worker.h"

/* For a worker that should answer, and for one that will not. */
#define LONG_NS (60 * KB_NS_PER_S)
#define SHORT_NS (100 * KB_NS_PER_MS)

#define LOG_BYTES (64 * 1024)

/* How far a worker gets. */
enum step {
	LOAD,
	GENERATE,
	QUEUE,
	GO,
	SETTLE,
	THROUGH,
};

static const char *const step_names[] = {
	"load", "generate", "queue", "go", "settle", "through",
};

/* A worker is asked for the next run while it tells of the one before. */
static bool in_a_row;

static inline int start(struct kb_worker *w, const char *program,
			const char *one, const char *two)
{
	const char *const argv[] = { program, one, two, NULL };
	const char *const env[] = { NULL };
	struct kb_err err = KB_ERR_INIT;
	int fd = program_open(program), ret;
	const struct kb_spawn spawn = {
		.argv = argv,
		.env = env,
		.files.scratch = "/",
		.program_fd = fd,
		.other_user = true,
		.limits = {
			.file_bytes = 1 << 20, .processes = 4096, .files = 64,
		},
	};

	*w = (struct kb_worker)KB_WORKER_INIT;
	w->side = KB_SIDE_CANDIDATE;
	w->load_timeout_ns = w->run_timeout_ns = LONG_NS;
	ret = kb_worker_start(w, &spawn, LOG_BYTES, &err);
	check_str(err.msg, "");
	close(fd);
	return ret;
}

static inline int take_step(struct kb_worker *w, enum step step,
			    struct kb_fault *fault, struct kb_err *err)
{
	static const uint8_t seed[KB_SEED_BYTES];
	struct kb_request generate = { .op = KB_OP_GENERATE, .slot_count = 1 };
	int64_t elapsed_ns = -1;
	int ret;

	switch (step) {
	case LOAD:
		return kb_worker_load(w, seed, NULL, 0, fault, err);
	case GENERATE:
		return kb_worker_ask(w, &generate, NULL, 0, fault, err);
	case QUEUE:
		return kb_worker_queue(w, 0, 1, seed, fault, err);
	case GO:
		ret = kb_worker_go(w, &elapsed_ns, fault, err);
		if (ret > 0)
			check(elapsed_ns > 0);
		return ret;
	case SETTLE:
		return in_a_row ? kb_worker_settle_and_queue(w, 0, 1, seed,
							     fault, err)
				: kb_worker_settle(w, fault, err);
	case THROUGH:
		break;
	}
	return 0;
}

/* Take steps while they succeed; returns the one that did not. There is
 * little time for step `hurried`. */
static inline enum step walk(struct kb_worker *w, enum step hurried,
			     struct kb_fault *fault)
{
	struct kb_err err = KB_ERR_INIT;

	memset(fault, 0, sizeof(*fault));
	for (int step = LOAD; step < THROUGH; step++) {
		int ret;

		if (step == (int)hurried)
			w->load_timeout_ns = w->run_timeout_ns = SHORT_NS;
		ret = take_step(w, (enum step)step, fault, &err);
		check(ret >= 0);
		check_str(err.msg, "");
		if (ret <= 0)
			return (enum step)step;
		check(!w->process.running);
	}
	return THROUGH;
}

struct story {
	const char *program, *one, *two;
	enum step step;
	enum kb_status status;
	enum kb_phase phase;
	const char *detail;
	int number;		/* signal or exit status */
};

static inline void tell_once(const struct story *s)
{
	struct kb_fault fault;
	struct kb_worker w;
	enum step step;

	check_int(start(&w, s->program, s->one, s->two), 0);
	step = walk(&w, s->status == KB_STATUS_TIMED_OUT ? s->step : THROUGH,
		    &fault);
	check_str(step_names[step], step_names[s->step]);
	if (s->step != THROUGH) {
		check_int(fault.side, KB_SIDE_CANDIDATE);
		check_str(kb_status_name(fault.status),
			  kb_status_name(s->status));
		check_int(fault.phase, s->phase);
		check_str(fault.detail, s->detail);
		check_int(fault.signal, s->status == KB_STATUS_CRASHED ?
						s->number : 0);
		check_int(fault.exit_status, s->status == KB_STATUS_EXITED ?
						     s->number : 0);
	}
	if (tap_failed)
		printf("# in the story of %s %s %s%s\n", s->program,
		       s->one ? s->one : "", s->two ? s->two : "",
		       in_a_row ? ", in a row" : "");
	kb_worker_end(&w);
}

static inline void tell(const struct story *s)
{
	tell_once(s);
	if (s->step != SETTLE)
		return;
	in_a_row = true;
	tell_once(s);
	in_a_row = false;
}

#define TELL(stories)						\
	do {							\
		for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++) \
			tell(&(stories)[i]);			\
	} while (0)

/* Operations as arguments. */
#define LOAD_OP "1"
#define GENERATE_OP "3"
#define RUN_OP "4"


#endif
