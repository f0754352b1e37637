#ifndef KB_CMD_PACK_VERBS_H
#define KB_CMD_PACK_VERBS_H

#include "cli/options.h"

struct kb_err;

/* The verbs of kb-pack, a file each: its options, and what it does with its
 * operands, as cmd/cmd.h has it. */

extern const struct kb_option kb_pack_suite_options[];
extern const struct kb_option kb_pack_submission_options[];
extern const struct kb_option kb_pack_report_options[];
extern const struct kb_option kb_pack_archive_options[];
extern const struct kb_option kb_pack_unpack_options[];
extern const struct kb_option kb_pack_export_options[];
extern const struct kb_option kb_pack_publish_options[];

int kb_pack_suite(int argc, char *argv[], struct kb_err *err);
int kb_pack_submission(int argc, char *argv[], struct kb_err *err);
int kb_pack_report(int argc, char *argv[], struct kb_err *err);
int kb_pack_archive(int argc, char *argv[], struct kb_err *err);
int kb_pack_unpack(int argc, char *argv[], struct kb_err *err);
int kb_pack_export(int argc, char *argv[], struct kb_err *err);
int kb_pack_publish(int argc, char *argv[], struct kb_err *err);

/* Options of theirs; `store` is the file's own. */
#define KB_PACK_STORE							\
	{ .name = "store", .arg = "DIR",					\
	  .help = "where bundles are kept", .type = KB_OPTION_STRING,	\
	  .value = &store }
#define KB_PACK_STORES							\
	{ .name = "store", .arg = "DIR",				\
	  .help = "where bundles are kept", .type = KB_OPTION_STORES,	\
	  .value = &store }
#define KB_PACK_TEXT(option, what, about, field, ...)			\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_STRING, .value = &(field), __VA_ARGS__ }

#endif
