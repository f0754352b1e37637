#ifndef KB_IMPORT_KERNELBENCH_NAMES_H
#define KB_IMPORT_KERNELBENCH_NAMES_H

#include "manifest/key.h"

/*
 * KernelBench's problems, by the names of their files: its results have
 * numbers and its timing files have names, and what its analysis joins them by
 * is its dataset. A name that is not one of these is of another version.
 */
#define KB_KERNELBENCH_COMMIT "423217d9fda91e0c2d67e4a43bf62f96f6d104f1"

/* How many problems a level has, which are numbered from 1; 0 if it has no
 * such level. */
int kb_kernelbench_count(int level);

/* "19_ReLU.py", or NULL if there is no such problem. */
const char *kb_kernelbench_name(struct kb_key key);

#endif
