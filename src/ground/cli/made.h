#ifndef KB_CLI_MADE_H
#define KB_CLI_MADE_H

#include <stdbool.h>

#include "cli/options.h"
#include "manifest/record.h"
#include "store/digest.h"

struct kb_err;

/*
 * The bundle that a program made: its name in the store, and the form of its
 * printed id.
 *
 * On a terminal an id has KB_SHOWN_ID_DIGITS digits, after the bundle's kind
 * and before its name. Elsewhere, and with --porcelain, the last line of
 * standard output is the whole id and nothing else.
 */
struct kb_made_options {
	const char *name;
	bool porcelain;
};

/* Their entries in an option table. Neither says anything about a result, so
 * that records do not have them. */
#define KB_MADE_OPTIONS(m)						\
	{ .name = "name", .arg = "NAME",				\
	  .help = "name of the new bundle in the store",		\
	  .type = KB_OPTION_STRING, .value = &(m).name, .is_place = true, \
	  .group = KB_OPTION_OUTPUT },					\
	KB_PORCELAIN_OPTION(m)
#define KB_PORCELAIN_OPTION(m)						\
	{ .name = "porcelain",						\
	  .help = "print ids in full on a terminal, too",		\
	  .type = KB_OPTION_FLAG, .value = &(m).porcelain,		\
	  .is_place = true, .group = KB_OPTION_OUTPUT }

/* Before anything is made. Fails with KB_ERR_USAGE. */
int kb_made_check(const struct kb_made_options *m, struct kb_err *err);

/*
 * The bundle `id` is in the store, and the last one made there. Names it so, or
 * warns if that cannot be; prints it; and names it as the options say. A name
 * that stood for another is told on standard error. Fails with KB_ERR_SYS if it
 * cannot have the name that was asked for.
 */
int kb_made_print(const struct kb_made_options *m, const char *store,
		  enum kb_kind kind, const struct kb_digest *id,
		  struct kb_err *err);

/* Names the bundle the last one made in the store, and the last of its kind, as
 * kb_made_print() does. Prints nothing but warnings. */
void kb_made_name_last(const char *store, enum kb_kind kind,
		       const struct kb_digest *id);

/* Prints a bundle that is only on the way to the one that was asked for: not
 * named, not the last but of its kind, and its line has its kind in any case. */
void kb_made_print_part(const struct kb_made_options *m, const char *store,
			enum kb_kind kind, const struct kb_digest *id);

#endif
