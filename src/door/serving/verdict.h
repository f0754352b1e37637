#ifndef KB_SERVING_VERDICT_H
#define KB_SERVING_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/status.h"

struct kb_buf;
struct kb_err;
struct kb_json;
struct kb_result;
struct kb_reward;

/*
 * An answer of kb-serve, one JSON object a line:
 *
 *	{"id", "status", "reason", "speedup", "low", "high", "device_us",
 *	 "reference_us", "clock", "log", "candidate", "policy", "attempts",
 *	 "build_s", "device_s", "queued_s", "reward", "remembered"}
 *
 * or, where there is no verdict, {"id", "error"}.
 */
struct kb_served {
	enum kb_status status;
	enum kb_phase phase;
	char *reason, *log;		/* owned, or NULL */
	char *candidate;		/* digest of its code, in hex; owned */
	int64_t speedup_micro, low_micro, high_micro;	/* or KB_UNKNOWN */
	int64_t time_ns, reference_ns;	/* likewise */
	const char *clock;		/* of these, or NULL */
};

/* The parts of an answer that belong to one request. All else is the same for
 * any request with the same code. */
struct kb_served_as {
	const struct kb_json *id;
	bool is_quick, is_remembered;
	int64_t attempts;		/* at the problem, so far */
	int64_t built_ns, measured_ns, total_ns;	/* took it */
	const struct kb_reward *reward;	/* or NULL */
};

/* The part of a log in an answer. A compiler says first what is wrong. */
#define KB_SERVED_LOG_BYTES_MAX 8192

/* Times go by the device's clock where the reference has one. Release it. */
void kb_served_from_result(struct kb_served *out, const struct kb_result *r);
void kb_served_release(struct kb_served *v);

/* Append the line, with its line feed. */
void kb_served_print(struct kb_buf *out, const struct kb_served *v,
		     const struct kb_served_as *as);

/* The other one. `id` may be NULL. */
void kb_unserved_print(struct kb_buf *out, const struct kb_json *id,
		       const char *why);

#endif
