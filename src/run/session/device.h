#ifndef KB_SESSION_DEVICE_H
#define KB_SESSION_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "device/gpu_health.h"
#include "measure/bench.h"

struct kb_err;
struct kb_json;
struct kb_session;

#define KB_SESSION_DEVICES_MAX 64

/* The device of a session: nothing for the CPU, else a GPU, or several of one
 * node, of which each process has one. */
struct kb_session_device {
	bool is_cuda, is_all;
	size_t number;			/* of this process's, or of its first,
					   if workers are groups */
	int ordinals[KB_SESSION_DEVICES_MAX];	/* of all that were named */
	size_t count;
	struct kb_gpu gpu;		/* when it has been opened */
	struct kb_gpu_health health;	/* likewise */
	uint64_t free_bytes;		/* of its memory, likewise */
	struct {
		struct kb_nvml *nvml;
		struct kb_xids *xids;
		struct kb_gpu_health health;
	} further[KB_RANKS_MAX - 1];	/* of ranks 1 and up, likewise */
	char *why_no_nvml;		/* or NULL */
	char *salt;			/* or NULL */
};

#define KB_SESSION_DEVICE_INIT { .is_cuda = false }

/* Read "cpu", "cuda", "cuda:N", "cuda:all" or "cuda:0,cuda:1", and the words
 * that go with it. Fails with KB_ERR_USAGE. */
int kb_session_device_parse(struct kb_session *s, struct kb_err *err);

/* With "cuda:all", see how many there are; one, if none can be seen. This
 * process still has no business with any. Fails with KB_ERR_SYS. */
int kb_session_device_count(struct kb_session *s, struct kb_err *err);

/* "cuda:1": the number-th of those that were named, or "cpu". */
#define KB_SESSION_DEVICE_NAME_SIZE 16
void kb_session_device_name(char out[KB_SESSION_DEVICE_NAME_SIZE],
			    const struct kb_session *s, size_t number);

/* Open it, and set the policy and the launcher's side of it; nothing on
 * the CPU. Fails with KB_ERR_MISSING, KB_ERR_DEVICE, KB_ERR_SYS. */
int kb_session_device_open(struct kb_session *s, struct kb_err *err);
void kb_session_device_close(struct kb_session_device *d);

/* Has it gone bad since it was opened? Fails with KB_ERR_DEVICE if so; not while
 * anything is timed. Never on the CPU. */
int kb_session_device_check(const struct kb_session *s, struct kb_err *err);

/* Does something occupy its memory that no worker of this process has, and did
 * not when it was opened? For when no worker is there that was asked to load.
 * Waits as long as kb_patience says for it to be given back. Fails with
 * KB_ERR_DEVICE if so. */
int kb_session_device_check_alone(const struct kb_session *s,
				  struct kb_err *err);

/* NULL on the CPU. */
const struct kb_gpu *kb_session_gpu(const struct kb_session *s);

/* The record of the device: the environment so far, then what is known only
 * from `facts` of the torch runtime (NULL if there are none). */
struct kb_json *kb_session_device_environment(const struct kb_session *s);
int kb_session_device_note_cuda(struct kb_session *s,
				struct kb_json *environment,
				const struct kb_json *facts,
				struct kb_err *err);

#endif
