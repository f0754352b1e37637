#include "cli/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "json/utf8.h"
#include "cli/wrap.h"
#include "store/store.h"

#define HELP_COLUMN 31		/* where the phrases of the help begin */
#define HELP_COLUMNS 80
#define OPTIONS_MAX 64		/* in one table; see `seen` */

static int parse_int(const struct kb_option *o, const char *text,
		     struct kb_err *err)
{
	char *end;
	long long v;

	/* LLONG_MAX may be what was meant, so that an overflow of strtoll(3) is
	 * known by errno alone. It would also take blanks and a plus sign in
	 * front, which is why the first character is looked at. */
	errno = 0;
	v = strtoll(text, &end, 10);
	if (end == text || *end || errno || v < o->min || v > o->max ||
	    !strchr("-0123456789", text[0]))
		return kb_err(err, KB_ERR_USAGE,
			      "option '--%s' needs an integer from %" PRId64
			      " to %" PRId64 ", not '%s'",
			      o->name, o->min, o->max, text);
	*(int64_t *)o->value = v;
	return 0;
}

static int add_item(const struct kb_option *o, const char *text,
		    struct kb_err *err)
{
	struct kb_option_list *list = o->value;

	if (list->count == KB_OPTION_LIST_MAX)
		return kb_err(err, KB_ERR_USAGE,
			      "option '--%s' is given more than %d times",
			      o->name, KB_OPTION_LIST_MAX);
	list->items[list->count++] = text;
	return 0;
}

/* `again`: it was set before. */
static int set_value(const struct kb_option *o, bool again, const char *text,
		     struct kb_err *err)
{
	/* Values end up in records, which are UTF-8. */
	if (text && !kb_utf8_valid(text, strlen(text)))
		return kb_err(err, KB_ERR_USAGE,
			      "option '--%s' needs UTF-8", o->name);

	switch (o->type) {
	case KB_OPTION_FLAG:
		*(bool *)o->value = true;
		return 0;
	case KB_OPTION_STRING:
		*(const char **)o->value = text;
		return 0;
	case KB_OPTION_INT:
		return parse_int(o, text, err);
	case KB_OPTION_LIST:
		return add_item(o, text, err);
	case KB_OPTION_STORES:
		if (again)
			return kb_store_also(text, err);
		*(const char **)o->value = text;
		return 0;
	}
	KB_BUG("unknown option type");
}

/* The option that `arg` names, and where an attached value starts. */
static const struct kb_option *find_option(const struct kb_option options[],
					   const char *arg, const char **attached)
{
	size_t len;

	*attached = NULL;
	if (arg[1] != '-') {
		for (const struct kb_option *o = options; o->name; o++) {
			if (!o->letter || o->letter != arg[1])
				continue;
			*attached = arg[2] ? arg + 2 : NULL;
			return o;
		}
		return NULL;
	}

	len = strcspn(arg + 2, "=");
	for (const struct kb_option *o = options; o->name; o++) {
		if (strlen(o->name) != len || strncmp(o->name, arg + 2, len))
			continue;
		*attached = arg[2 + len] ? arg + 2 + len + 1 : NULL;
		return o;
	}
	return NULL;
}

/* A command line that is being read, of which `at` is the next word. */
struct words {
	const struct kb_option *options;
	char **argv;
	int argc, at;
	bool seen[OPTIONS_MAX];
};

static int parse_one(struct words *w, struct kb_err *err)
{
	const char *arg = w->argv[w->at++], *value;
	const struct kb_option *o = find_option(w->options, arg, &value);
	bool again;

	if (!o)
		return kb_err(err, KB_ERR_USAGE, "unknown option '%s'", arg);
	again = w->seen[o - w->options];
	if (o->type == KB_OPTION_FLAG && value)
		return kb_err(err, KB_ERR_USAGE,
			      "option '--%s' takes no value", o->name);
	/* The last of two would win elsewhere. In a script an option that is
	 * there twice is most often left over. */
	if (!kb_option_repeats(o) && again)
		return kb_err(err, KB_ERR_USAGE,
			      "option '--%s' is given twice", o->name);
	w->seen[o - w->options] = true;

	if (o->type != KB_OPTION_FLAG && !value) {
		if (w->at == w->argc)
			return kb_err(err, KB_ERR_USAGE,
				      "option '--%s' needs a value: %s",
				      o->name, o->arg);
		value = w->argv[w->at++];
	}
	return set_value(o, again, value, err);
}

/* Operands are moved to the front, wherever options stand between them. */
int kb_options_parse(const struct kb_option options[], int argc,
		     char *argv[], struct kb_err *err)
{
	struct words w = { .options = options, .argv = argv, .argc = argc };
	int operands = 0, ret = 0;

	while (w.at < argc && ret >= 0) {
		char *arg = argv[w.at];

		if (!strcmp(arg, "--")) {
			while (++w.at < argc)
				argv[operands++] = argv[w.at];
		} else if (arg[0] != '-' || !arg[1]) {
			argv[operands++] = arg;
			w.at++;
		} else {
			ret = parse_one(&w, err);
		}
	}
	return ret < 0 ? ret : operands;
}

/* How long the word at `text` is, if it can be one: no number, no sentence. */
static size_t word_len(const char *text)
{
	return *text >= 'a' && *text <= 'z' ?
		strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-") : 0;
}

/* How long what separates two words is. */
static size_t separator_len(const char *text)
{
	static const char *const separators[] = { ", ", " or ", "," };

	for (size_t i = 0; i < KB_ARRAY_LEN(separators); i++)
		if (!strncmp(text, separators[i], strlen(separators[i])))
			return strlen(separators[i]);
	return 0;
}

/* Where the words begin, if there is nothing else up to the end. */
static const char *find_words(const char *help)
{
	const char *colon = NULL, *at = help;

	while ((at = strstr(at, ": ")))
		colon = at += 2;
	at = colon;
	while (at && word_len(at)) {
		at += word_len(at);
		if (!*at)
			return colon;
		if (!separator_len(at))
			return NULL;
		at += separator_len(at);
	}
	return NULL;
}

char *kb_option_word(const struct kb_option *o, size_t i)
{
	const char *at = o->arg ? find_words(o->help) : NULL;

	while (at && *at && i--) {
		at += word_len(at);
		at += separator_len(at);
	}
	return at && *at ? kb_xstrndup(at, word_len(at)) : NULL;
}

int kb_option_check_word(const char *option, const char *word,
			 const char *const words[], struct kb_err *err)
{
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;

	for (size_t i = 0; words[i]; i++) {
		if (!strcmp(words[i], word))
			return 0;
		kb_buf_addf(&list, "%s%s", i ? ", " : "", words[i]);
	}
	return kb_err(err, KB_ERR_USAGE, "--%s cannot be '%s': there are %s",
		      option, word, list.data);
}

static void print_value(struct kb_buf *out, const struct kb_option *o)
{
	const struct kb_option_list *list;

	switch (o->type) {
	case KB_OPTION_FLAG:
		kb_buf_addstr(out, *(const bool *)o->value ? "true" : "false");
		return;
	case KB_OPTION_STRING:
	case KB_OPTION_STORES:
		kb_buf_addstr(out, *(const char *const *)o->value);
		return;
	case KB_OPTION_INT:
		kb_buf_addf(out, "%" PRId64, *(const int64_t *)o->value);
		return;
	case KB_OPTION_LIST:
		list = o->value;
		for (int i = 0; i < list->count; i++)
			kb_buf_addf(out, "%s%s", i ? "," : "", list->items[i]);
		return;
	}
	KB_BUG("unknown option type");
}

/* An integer without a default is the one that is none in records, either. */
static bool is_set(const struct kb_option *o)
{
	if (o->type == KB_OPTION_INT)
		return *(const int64_t *)o->value != INT64_MIN;
	return o->type != KB_OPTION_STRING ||
	       *(const char *const *)o->value;
}

static const char *const group_names[KB_OPTION_GROUP_COUNT] = {
	[KB_OPTION_MORE] = "options",
	[KB_OPTION_PROBLEMS] = "problems",
	[KB_OPTION_MODEL] = "model",
	[KB_OPTION_PROMPT] = "prompt",
	[KB_OPTION_TURNS] = "turns",
	[KB_OPTION_MEASUREMENT] = "measurement",
	[KB_OPTION_LIMITS] = "limits",
	[KB_OPTION_PROGRAMS] = "programs and models",
	[KB_OPTION_OUTPUT] = "output",
};

static void print_heading(FILE *out, const char *verb, const char *name)
{
	if (verb)
		fprintf(out, "\n%s %s:\n", verb, name);
	else
		fprintf(out, "\n%c%s:\n", name[0] - 'a' + 'A', name + 1);
}

/* Values are as they were before anything was parsed. */
static void add_default(struct kb_buf *text, const struct kb_option *o)
{
	const bool is_number = o->type == KB_OPTION_INT;
	const int64_t number = is_number ? *(const int64_t *)o->value : 0;

	if (o->otherwise)
		kb_buf_addstr(text, o->otherwise);
	else if (is_number ? number >= o->min && number <= o->max :
			     o->type == KB_OPTION_STRING && is_set(o))
		print_value(text, o);
}

/* "  -x, --name ARG", and behind it blanks up to the column of phrases; on a line
 * of its own if it reaches into that. */
static void add_option_name(struct kb_buf *line, const struct kb_option *o)
{
	kb_buf_addf(line, "  %c%c%s--%s%s%s",
		    o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
		    o->letter ? ", " : "  ", o->name, o->arg ? " " : "",
		    o->arg ? o->arg : "");
	if (line->len + 1 > HELP_COLUMN)
		kb_buf_addf(line, "\n%*s", HELP_COLUMN, "");
	else
		kb_buf_addf(line, "%*s", (int)(HELP_COLUMN - line->len), "");
}

/* The default is kept whole, and stands below where it does not fit beside. */
static void print_line(FILE *out, const struct kb_option *o)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT, value = KB_BUF_INIT;
	const char *last;

	add_option_name(&line, o);
	kb_wrap_print(&line, o->help, HELP_COLUMN, HELP_COLUMN, HELP_COLUMNS);
	add_default(&value, o);
	last = strrchr(line.data, '\n');
	last = last ? last + 1 : line.data;
	if (value.len && strlen(last) + value.len >
			 HELP_COLUMNS - strlen(" (default: )"))
		kb_buf_addf(&line, "\n%*s", HELP_COLUMN - 1, "");
	if (value.len)
		kb_buf_addf(&line, " (default: %s)", value.data);
	fprintf(out, "%s\n", line.data);
}

void kb_options_print_help(FILE *out, const char *verb,
			   const struct kb_option options[])
{
	const bool is_sorted = options[0].group != KB_OPTION_MORE;

	for (int group = 0; group < KB_OPTION_GROUP_COUNT; group++) {
		int count = 0;

		for (const struct kb_option *o = options; o->name; o++) {
			if ((is_sorted ? (int)o->group : 0) != group)
				continue;
			if (!count++)
				print_heading(out, verb, group_names[group]);
			print_line(out, o);
		}
	}
}

struct kb_json *kb_options_to_json(const struct kb_option options[])
{
	struct kb_json *v = kb_json_object();

	for (const struct kb_option *o = options; o->name; o++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		if (o->is_place || !is_set(o))
			continue;
		print_value(&text, o);
		kb_json_set_string(v, o->name, text.data);
	}
	return v;
}
