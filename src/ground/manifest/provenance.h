#ifndef KB_MANIFEST_PROVENANCE_H
#define KB_MANIFEST_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/record.h"

struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * Who made a submission, and how. A fact that the submitter did not give is
 * NULL or KB_UNKNOWN, never invented.
 */
struct kb_provenance {
	char *display_name;
	char *organization;
	char *model;
	char *server_type;
	char *temperature;		/* decimal, as given: "0.7" */
	char *top_p;			/* decimal, as given */
	int64_t max_tokens;
	int64_t seed;
	int64_t samples_per_problem;
	char *prompt_sha256;		/* 64 hex digits */
	char *date;			/* "2026-11-21" or with "T12:00:00Z" */
	char *run_name;
	char *notes;
	/* The setting of a run of KernelBench, in KernelBench's words: not in
	 * records that do not know it, nor in those of before. */
	char *precision;
	char *backend;
};

#define KB_PROVENANCE_INIT { .max_tokens = KB_UNKNOWN, .seed = KB_UNKNOWN, \
			     .samples_per_problem = KB_UNKNOWN }

void kb_provenance_release(struct kb_provenance *p);

/* Whether `text` is a date and a time of day in UTC, in this form. */
#define KB_TIME_EXAMPLE "2026-11-21T12:00:00Z"
bool kb_time_valid(const char *text);

/* Does a calendar have the day of `text`, a date or a time of the right form? */
bool kb_day_exists(const char *text);

/*
 * Every field that is known has the form told in kb-manifest.5. Fails with
 * KB_ERR_INPUT; the message begins with `where` and names the field.
 */
int kb_provenance_check(const struct kb_provenance *p, const char *where,
			struct kb_err *err);

/* The same of what is written now. Records of earlier releases may have a day
 * that no calendar has. */
int kb_provenance_check_new(const struct kb_provenance *p, const char *where,
			    struct kb_err *err);

/* Fields that `over` knows replace those of `p`, and are copied. */
void kb_provenance_override(struct kb_provenance *p,
			    const struct kb_provenance *over);

/* Only what `with` says as well stays. Calls `forget` for each field that both
 * know and that differs, which is not known then. */
void kb_provenance_agree(struct kb_provenance *p,
			 const struct kb_provenance *with,
			 void (*forget)(void *context, const char *field),
			 void *context);

/* Set the members of `record`. */
void kb_provenance_to_json(struct kb_json *record,
			   const struct kb_provenance *p);

/* Read and check them. If `f` has failed `p` may be filled in part; the
 * caller releases it. */
void kb_provenance_read(struct kb_provenance *p, struct kb_fields *f);

static inline void kb_cleanup_provenance(struct kb_provenance *p)
{
	kb_provenance_release(p);
}

#endif
