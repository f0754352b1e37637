#ifndef KB_MANIFEST_SELECT_H
#define KB_MANIFEST_SELECT_H

#include <stddef.h>

#include "manifest/suite.h"

struct kb_err;

/* In place of a list of problems: those that the suite's audit found sound. A
 * problem without an audit is not among them. */
#define KB_SELECT_SOUND "sound"

/*
 * Which problems of a suite a run is about: --problems 1/19,2/76, or
 * --problems sound, and --levels 1,3. Either may be NULL; with both, a problem
 * must be in both.
 *
 * `*out` receives the keys, sorted, each once; the caller frees it with
 * free(). Fails with KB_ERR_USAGE if a list parses badly, and with
 * KB_ERR_INPUT if the suite lacks a problem or level that was named, or has
 * an audit of none of its problems and they are to be sound.
 */
int kb_select(struct kb_key **out, size_t *count, const struct kb_suite *suite,
	      const char *problems, const char *levels, struct kb_err *err);

#endif
