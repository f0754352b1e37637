#ifndef KB_MANIFEST_CONDITIONS_H
#define KB_MANIFEST_CONDITIONS_H

#include <stdbool.h>

#include "manifest/tensor_facts.h"

struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * Under which conditions a stage ran: what a time must stay attached to.
 * Kept as JSON trees, because the rooms that fill them in know best what
 * is in them; the shape is checked here and told in kb-manifest.5.
 */
struct kb_conditions {
	struct kb_json *tool;		/* kb_tool_json() */
	struct kb_json *options;	/* flat: name -> string */
	struct kb_json *environment;	/* section -> fact -> value */
	struct kb_json *match_key;	/* flat: field -> string */
	struct kb_json *policy;		/* flat: name -> string, int or bool */
};

#define KB_CONDITIONS_INIT { .tool = NULL }

void kb_conditions_release(struct kb_conditions *c);

/* Set the members of `record`; each is copied. None may be NULL. */
void kb_conditions_to_json(struct kb_json *record,
			   const struct kb_conditions *c);

/* Read them. If `f` has failed `c` may be filled in part; the caller
 * releases it. */
void kb_conditions_read(struct kb_conditions *c, struct kb_fields *f);

/*
 * {"device": {"kind": ...}, "cpu": {...}, ...}: the sections are those of
 * kb-manifest.5, all present; gpu, driver and cuda if device.kind is "cuda",
 * and only then. A fact is a string, an integer, a boolean,
 * an array of strings, or {"unavailable": "<reason>"}; a whole section
 * may be unavailable, too.
 */
int kb_environment_check(const struct kb_json *environment, const char *where,
			 struct kb_err *err);

/* The part number of the GPU's board; NULL if it is not known, or of a CPU. */
const char *kb_conditions_board(const struct kb_conditions *c);

/* Is it known of both to be another? */
bool kb_conditions_differ_in_board(const struct kb_conditions *left,
				   const struct kb_conditions *right);

/* In which precision problems were run: fp32 where no policy says, as on a CPU;
 * KB_PRECISION_COUNT if that is none of ours. */
enum kb_precision kb_conditions_precision(const struct kb_conditions *c);

/* {"unavailable": "<reason>"} */
struct kb_json *kb_unavailable(const char *reason);
bool kb_is_unavailable(const struct kb_json *v);

#endif
