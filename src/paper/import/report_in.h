#ifndef KB_IMPORT_REPORT_IN_H
#define KB_IMPORT_REPORT_IN_H

#include "manifest/report.h"

struct kb_bundle;
struct kb_checks;
struct kb_err;

/*
 * From files with other people's results to a report, manifest/report.h.
 */
struct kb_report_source {
	enum kb_report_format format;
	int level;			/* of KernelBench's file, else 0 */
	const char *results;		/* paths; borrowed */
	const char *baseline;		/* or NULL */
	const char *run;		/* of v3's file, or NULL */
};

/*
 * Pack them into `store`. Caller releases `r` on success.
 *
 * Fails as the parsers of import/claims.h, with KB_ERR_INPUT if there is no
 * problem at all, KB_ERR_MISSING, KB_ERR_SYS.
 */
int kb_report_pack(struct kb_report *r, struct kb_digest *id,
		   const struct kb_report_source *source, const char *store,
		   struct kb_err *err);

/* Check in the layer "arithmetic" that the record of `b`, a report, is what its
 * files give. Fails only with what says nothing of a bundle: KB_ERR_SYS. */
int kb_report_add_check(struct kb_checks *c, const struct kb_bundle *b,
			struct kb_err *err);

#endif
