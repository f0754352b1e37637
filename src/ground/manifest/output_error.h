#ifndef KB_MANIFEST_OUTPUT_ERROR_H
#define KB_MANIFEST_OUTPUT_ERROR_H

#include <stddef.h>
#include <stdint.h>

struct kb_fields;
struct kb_json;

/*
 * How far one output was from the reference's, in the worst trial. Errors
 * are over elements that could be compared; they are written as decimal
 * strings with nine digits, so a double read back may differ beyond that.
 */
struct kb_output_error {
	int64_t elements;
	int64_t mismatched;
	int64_t nan;
	double max_abs_error;		/* 0 or more, may be infinite */
	double max_rel_error;
	double rms_error;
};

/* Over all elements: -1, not known, if one could not be compared. */
double kb_output_error_rms(const struct kb_output_error *o);

/* None gives null. The caller owns the result. */
struct kb_json *kb_output_errors_to_json(const struct kb_output_error *list,
					 size_t count);

/* The member "outputs", which must be there: null gives NULL. The caller
 * frees with free(). */
struct kb_output_error *kb_output_errors_read(struct kb_fields *f,
					      size_t *count);

#endif
