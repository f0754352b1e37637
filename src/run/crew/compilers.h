#ifndef KB_CREW_COMPILERS_H
#define KB_CREW_COMPILERS_H

#include <stdbool.h>

struct kb_builds;
struct kb_code_file;

/*
 * Does a build of this code run compilers? Of Python it does if the text names
 * torch's module for extensions; what compiles by other means when it is
 * imported is not told. Code that cannot be read may: that it cannot be is said
 * when it is built.
 */
bool kb_code_compiles(const struct kb_code_file *code);

/*
 * How many compilers the build that begins next may run at a time (MAX_JOBS).
 * An extension has two sources at least, one for the host and one for the
 * device, whose compilers need not wait for each other. All builds that are not
 * done share the processors that builds have; there is one for each while builds
 * are as many as processors, and more when they are fewer. Never below 1.
 */
int kb_builds_compilers(const struct kb_builds *b);

#endif
