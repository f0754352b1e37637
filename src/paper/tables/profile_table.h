#ifndef KB_TABLES_PROFILE_TABLE_H
#define KB_TABLES_PROFILE_TABLE_H

#include <stdint.h>

#include "cli/look.h"
#include "manifest/gpm_metric.h"
#include "sheet/format.h"
#include "verify/ceiling.h"

struct kb_buf;
struct kb_profile;
struct kb_profile_item;

/*
 * Over all intervals of a candidate, what the device counted while batches
 * were under way: in millionths of what it can do, as if it had been idle in
 * between. KB_UNKNOWN if there is no interval that tells.
 */
int64_t kb_profile_mean_ppm(const struct kb_profile_item *i,
			    enum kb_gpm_metric m);

/* The share of the time that batches took, likewise. */
int64_t kb_profile_running_ppm(const struct kb_profile_item *i);

/* The metrics that tables show, and what they call them. */
struct kb_profile_column {
	enum kb_gpm_metric metric;
	const char *head;		/* "DRAM" */
	const char *meaning;		/* a phrase */
};

extern const struct kb_profile_column kb_profile_columns[];
extern const int kb_profile_column_count;

/* How near the time of a candidate, which is the evaluation's and not the
 * profile's, is to its bound. */
struct kb_profile_share {
	struct kb_clocked_bound bound;
	int64_t of_bound_micro, sol_micro;	/* KB_UNKNOWN */
};

/* `baseline_ns` is for the score alone. */
struct kb_profile_share kb_profile_share_of(struct kb_clocked_bound bound,
					    int64_t time_ns,
					    int64_t baseline_ns);

/* By which clock a bound is: "1980 MHz", "data sheet", or "-" if there is
 * none. */
void kb_bound_clock_format(char out[KB_FORMAT_SIZE],
			   const struct kb_clocked_bound *bound);

/* A row a candidate, appended to `out`, each with its share of `shares`; NULL:
 * no bound is known. */
void kb_profile_table_print(struct kb_buf *out, const struct kb_profile *p,
			    const struct kb_profile_share shares[], struct kb_look look);

#endif
