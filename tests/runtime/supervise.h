#ifndef KB_TESTS_RUNTIME_SUPERVISE_H
#define KB_TESTS_RUNTIME_SUPERVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "worker/protocol.h"

/*
 * A supervisor for tests of the runtimes: speaks worker/protocol.h and
 * believes every answer. It confines nothing and measures nothing. What
 * can only fail on a broken machine ends the test program.
 *
 * Seeds are given as one byte, which is repeated.
 */

#define SLOTS_MAX 4
#define OUTPUT_SENTINEL 0xa5	/* every byte of outputs before a run */
#define GUARD_SENTINEL 0x5a

/* In place of an ack: the worker ended, closed the channel or said what
 * it was not asked. */
#define ENDED 1000u

struct tensor {
	uint8_t *file;		/* with its guards */
	uint8_t *data;
	uint64_t bytes;		/* of the data */
};

struct worker {
	pid_t pid;
	int channel_fd, log_fd;
	int control_fd, plan_fd, state_fd;
	struct kb_control *control;
	struct kb_plan plan;
	uint64_t nonce;
	uint32_t go;
	uint64_t gate_seed;	/* of the run that is asked for */
	struct kb_request asked;	/* the run that is under way */
	const struct worker *inputs_of;	/* borrowed, or NULL */
	uint8_t *memory[SLOTS_MAX];	/* of slots from there on, or NULL */
	uint64_t memory_bytes[SLOTS_MAX];
	struct tensor inputs[SLOTS_MAX][KB_INPUTS_MAX];
	struct tensor outputs[SLOTS_MAX][KB_OUTPUTS_MAX];
};

/* $KB_SRC/tests/runtime/`name`, or $KB_LIBEXEC/`name`; freed with free(). */
char *source_path(const char *name);
char *libexec_path(const char *name);

/* Build tests/runtime/native/`name` with the command line of kb-native(7);
 * returns a descriptor of the program. */
int build_native(const char *name);

void worker_start(struct worker *w, const char *const argv[]);

/* The same of a script for Python, by a process that has imported torch, which is
 * started for the first of them: see torch_nursery.py. */
void worker_start_script(struct worker *w, const char *python,
			 const char *const argv[]);

/* Returns the wait status. */
int worker_end(struct worker *w);

/* All that it has printed; freed with free(). */
char *worker_log(const struct worker *w);

/* LOAD. A reference's plan and state are sealed afterwards, and a
 * candidate gets those of `reference`. `program_fd` is -1 or is sent. */
uint32_t worker_load_reference(struct worker *w, uint8_t seed, int program_fd);
uint32_t worker_load_candidate(struct worker *w, const struct worker *reference,
			       uint8_t seed, int program_fd);

/* SLOT, of any memory. */
uint32_t worker_ask_slots(struct worker *w, uint32_t first, uint32_t count,
			  int fd);

/* SLOT. A candidate's inputs are copied from those of `reference` before a run,
 * and back after it. */
uint32_t worker_slots(struct worker *w, const struct worker *reference,
		      uint32_t first, uint32_t count);
uint32_t worker_slot(struct worker *w, const struct worker *reference,
		     uint32_t slot);

uint32_t worker_generate(struct worker *w, uint32_t first, uint32_t count,
			 uint8_t seed);

/* The same on alternate inputs. */
uint32_t worker_generate_alternate(struct worker *w, uint32_t first,
				   uint32_t count, uint8_t seed);

/* FP64_ERROR, of three draws; `report` receives what it says if the ack is
 * KB_ACK_OK. */
uint32_t worker_fp64_error(struct worker *w, uint8_t seed,
			   struct kb_fp64_error_report *report);
uint32_t worker_fp64_error_alternate(struct worker *w, uint8_t seed,
				     struct kb_fp64_error_report *report);

/* The first half of RUN: the worker stands at the gate. */
uint32_t worker_queue(struct worker *w, uint32_t first, uint32_t count,
		      uint8_t seed);

/* RUN, with outputs and guards filled before. Returns the second ack's
 * code, or that of the first if it was not KB_ACK_OK. */
uint32_t worker_run(struct worker *w, uint32_t first, uint32_t count,
		    uint8_t seed);

/* Are all guard bytes of the slot what they were? */
bool guards_whole(const struct worker *w, uint32_t slot);

/* Are output `i` of both, slot by slot, the same bytes? */
bool outputs_equal(const struct worker *a, const struct worker *b,
		   uint32_t slot, uint32_t i);

#endif
