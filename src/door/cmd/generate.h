#ifndef KB_CMD_GENERATE_H
#define KB_CMD_GENERATE_H

#include <stdbool.h>

#include "cli/made.h"
#include "cli/options.h"
#include "json/json.h"

struct kb_err;
struct kb_work;

/* The verbs of kb-generate, a file each, and what they have in common. */

extern struct kb_generate_place {
	const char *store;		/* where bundles are kept */
	const char *dir;		/* where requests and answers are */
} kb_generate_place;

/* Arguments after the field, or after the bounds, are more members. */
#define TEXT_OPTION(option, what, about, field, ...)			\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_STRING, .value = &(field), __VA_ARGS__ }
#define PLACE_OPTION(option, what, about, field, ...)			\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_STRING, .value = &(field), .is_place = true, \
	  __VA_ARGS__ }
#define INT_OPTION(option, what, about, field, least, most, ...)	\
	{ .name = option, .arg = what, .help = about,			\
	  .type = KB_OPTION_INT, .value = &(field),			\
	  .min = least, .max = most, __VA_ARGS__ }
/* How requests are put into files says nothing of what is asked. */
#define FILE_OPTION(option, about, field, most)				\
	{ .name = option, .arg = "N", .help = about,			\
	  .type = KB_OPTION_INT, .value = &(field),			\
	  .min = 1, .max = most, .is_place = true,		\
	  .group = KB_OPTION_OUTPUT }
#define STORE_OPTION							\
	{ .name = "store", .arg = "DIR",				\
	  .help = "where bundles are kept",				\
	  .type = KB_OPTION_STRING, \
	  .value = &kb_generate_place.store,				\
	  .is_place = true, .group = KB_OPTION_OUTPUT }
#define DIR_OPTION							\
	{ .name = "dir", .letter = 'd', .arg = "DIR",			\
	  .help = "where requests and answers are kept",	\
	  .type = KB_OPTION_STRING, \
	  .value = &kb_generate_place.dir,				\
	  .is_place = true, .group = KB_OPTION_OUTPUT }

/* Options of verbs that end with a submission. */
extern struct kb_generate_said {
	const char *display_name, *organization, *server_type, *date;
	const char *run_name, *notes;
	struct kb_made_options made;
} kb_generate_said;

#define SAID_OPTIONS							\
	TEXT_OPTION("display-name", "TEXT", "name to show in tables",	\
		    kb_generate_said.display_name),					\
	TEXT_OPTION("organization", "TEXT", "who submits",		\
		    kb_generate_said.organization),					\
	TEXT_OPTION("server-type", "NAME", "where the model ran",	\
		    kb_generate_said.server_type),					\
	TEXT_OPTION("date", "DATE", "when the answers were made",	\
		    kb_generate_said.date),						\
	TEXT_OPTION("run-name", "NAME", "the submitter's name for the run", \
		    kb_generate_said.run_name),					\
	TEXT_OPTION("notes", "TEXT", "further notes", kb_generate_said.notes),	\
	KB_MADE_OPTIONS(kb_generate_said.made)

extern struct kb_generate_files {
	int64_t requests, mib;		/* of one file, at most */
} kb_generate_files;

#define KB_GENERATE_FILE_OPTIONS					\
	FILE_OPTION("file-requests", "requests in a file, at most", \
		    kb_generate_files.requests, KB_JSON_INT_MAX),	\
	FILE_OPTION("file-mib", "MiB of a file, at most",		\
		    kb_generate_files.mib, 4096)

extern const struct kb_option kb_generate_ask_options[];
extern const struct kb_option kb_generate_run_options[];
extern const struct kb_option kb_generate_take_options[];
extern const struct kb_option kb_generate_tell_options[];

/* As kb_verb's run(). */
int kb_generate_ask(int argc, char *argv[], struct kb_err *err);
int kb_generate_run(int argc, char *argv[], struct kb_err *err);
int kb_generate_take(int argc, char *argv[], struct kb_err *err);
int kb_generate_tell(int argc, char *argv[], struct kb_err *err);

/* Write files of the requests that are open, and print their names. */
int kb_generate_write_requests(const struct kb_work *w, struct kb_err *err);

/* Write what was answered as a generation and its submission, and print what
 * came of it. Returns KB_EXIT_OK; KB_EXIT_NO if requests are left without an
 * answer; or fails. */
int kb_generate_submit(struct kb_work *w, struct kb_err *err);

/* A line on standard error. */
void kb_generate_say(const char *message);

#endif
