#ifndef KB_CMD_SESSION_DEVICE_H
#define KB_CMD_SESSION_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/bench.h"

struct kb_err;
struct kb_json;
struct kb_session;

/* The device of a session: nothing for the CPU, else a GPU. */
struct kb_session_device {
	bool is_cuda;
	int ordinal;
	struct kb_gpu gpu;		/* when it has been opened */
	char *why_no_nvml;		/* or NULL */
	char *salt;			/* or NULL */
};

#define KB_SESSION_DEVICE_INIT { .is_cuda = false }

/* Read "cpu", "cuda" or "cuda:N", and the words that go with it. Fails
 * with KB_ERR_USAGE. */
int kb_session_device_parse(struct kb_session *s, struct kb_err *err);

/* Open it, and set the policy and the launcher's side of it; nothing on
 * the CPU. Fails with KB_ERR_MISSING, KB_ERR_DEVICE, KB_ERR_SYS. */
int kb_session_device_open(struct kb_session *s, struct kb_err *err);
void kb_session_device_close(struct kb_session_device *d);

/* NULL on the CPU. */
const struct kb_gpu *kb_session_gpu(const struct kb_session *s);

/* What is recorded of it: the environment so far, then what is known only
 * from `facts` of the torch runtime (NULL if there are none). */
struct kb_json *kb_session_device_environment(const struct kb_session *s);
int kb_session_device_note_cuda(struct kb_session *s,
				struct kb_json *environment,
				const struct kb_json *facts,
				struct kb_err *err);

#endif
