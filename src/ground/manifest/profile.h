#ifndef KB_MANIFEST_PROFILE_H
#define KB_MANIFEST_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/gpm_metric.h"
#include "manifest/key.h"
#include "manifest/status.h"
#include "store/digest.h"

struct kb_buf;
struct kb_bundle;
struct kb_err;
struct kb_kernels;

/*
 * A profile: what a GPU did while correct candidates of an evaluation ran in a
 * loop, untimed and after they were verified. It is advice beside the
 * evaluation: no score rests on it, and no id covers it. doc/kb-eval.1 has
 * the form.
 */

#define KB_PROFILE_SUFFIX ".profile.json"
#define KB_PROFILE_BYTES_MAX ((size_t)256 << 20)

/* A reading that is absent is KB_UNKNOWN. */
struct kb_profile_interval {
	int64_t duration_ns;
	int64_t calls;			/* that were made in it */
	int64_t running_ns;		/* of it, a batch of calls was under
					   way; else the candidate was
					   stopped, and the device idle */
	int64_t sm_clock_mhz, memory_clock_mhz;	/* at its end, as are the */
	int64_t temperature_c, power_mw;	/* next two */
	int64_t ppm[KB_GPM_METRIC_COUNT];	/* of the whole interval */
};

struct kb_profile_item {
	struct kb_key key;
	int sample_id;
	struct kb_digest candidate;	/* of its file */
	enum kb_status status;		/* correct, or why there is nothing */
	char *detail;			/* owned; or NULL */
	int64_t batch_calls;		/* of the loop; 0 unless correct */
	struct kb_profile_interval *intervals;	/* owned; none unless correct */
	size_t interval_count;
	struct kb_kernels *kernels;	/* owned; NULL unless correct */
};

struct kb_profile {
	struct kb_digest evaluation;
	struct kb_json *tool;		/* owned, as is the next */
	struct kb_json *match_key;	/* of machine and stack, now */
	char *counters;			/* what was read: "NVML GPM"; owned */
	char *counters_version;		/* owned; NULL: unknown */
	struct kb_profile_item *items;	/* owned; sorted as results are */
	size_t item_count;
};

#define KB_PROFILE_INIT { .items = NULL }

void kb_profile_release(struct kb_profile *p);
void kb_profile_item_release(struct kb_profile_item *i);

/* As canonical JSON and a line end. */
void kb_profile_print(struct kb_buf *out, const struct kb_profile *p);

/* From such bytes; `name` is only used in messages. Fails with
 * KB_ERR_INPUT; `p` is to be released in any case. */
int kb_profile_parse(struct kb_profile *p, const void *data, size_t len,
		     const char *name, struct kb_err *err);

/* Beside the evaluation `b`, under its own digest, so that none replaces
 * another. The caller frees `*path`. Fails with KB_ERR_SYS. */
int kb_profile_write(char **path, const struct kb_bundle *b,
		     const struct kb_profile *p, struct kb_err *err);

/* Load the profiles of `b`, in the order of their digests. Release each, and
 * free the list. Fails with KB_ERR_INPUT, with KB_ERR_CORRUPT if a profile does
 * not match its name, with KB_ERR_SYS; then `*out` is NULL. */
int kb_profile_load_all(struct kb_profile **out, size_t *count,
			const struct kb_bundle *b, struct kb_err *err);

static inline void kb_cleanup_profile(struct kb_profile *p)
{
	kb_profile_release(p);
}

#endif
