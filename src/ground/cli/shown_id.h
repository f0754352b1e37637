#ifndef KB_CLI_SHOWN_ID_H
#define KB_CLI_SHOWN_ID_H

#include <stdbool.h>

#include "store/digest.h"

/* Digits of an id that people are shown: as good as all 64 to tell bundles of
 * one store apart, and short enough to read. */
#define KB_SHOWN_ID_DIGITS 12

/* Is standard output read by somebody else than a person? */
bool kb_wants_whole_ids(void);

/*
 * An id as standard output is to have it: on a terminal its first
 * KB_SHOWN_ID_DIGITS digits, which the store takes for it, and all of them
 * for whatever else reads it.
 */
void kb_shown_id(char hex[KB_DIGEST_HEX_SIZE], const struct kb_digest *id);

#endif
