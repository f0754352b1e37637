#include "cmd/print_environment.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "sheet/format.h"

struct listing {
	struct kb_buf *out;
	const struct kb_json *match_key;
	int width;			/* of a name and its colon */
};

/* NULL if it has facts. */
static const char *why_unavailable(const struct kb_json *v)
{
	const struct kb_json *why = kb_json_type(v) == KB_JSON_OBJECT
					    ? kb_json_find(v, "unavailable")
					    : NULL;

	return why ? kb_json_string_value(why) : NULL;
}

static char *name_of(const struct kb_json *section, const struct kb_json *fact)
{
	return kb_xasprintf("%s.%s", kb_json_key(section), kb_json_key(fact));
}

static void add_strings(struct kb_buf *out, const struct kb_json *array)
{
	for (const struct kb_json *v = kb_json_first(array); v;
	     v = kb_json_next(v)) {
		if (v != kb_json_first(array))
			kb_buf_addstr(out, ", ");
		kb_buf_addstr(out, kb_json_string_value(v));
	}
}

static void add_value(struct kb_buf *out, const struct kb_json *v)
{
	switch (kb_json_type(v)) {
	case KB_JSON_STRING:
		kb_buf_addstr(out, kb_json_string_value(v));
		return;
	case KB_JSON_INT:
		kb_buf_addf(out, "%" PRId64, kb_json_int_value(v));
		return;
	case KB_JSON_BOOL:
		kb_buf_addstr(out, kb_json_bool_value(v) ? "true" : "false");
		return;
	case KB_JSON_ARRAY:
		add_strings(out, v);
		return;
	default:
		kb_buf_addf(out, "unavailable: %s", why_unavailable(v));
		return;
	}
}

/* Programs indent with tabs, which are control characters. */
static void add_line(struct kb_buf *out, char *line)
{
	for (char *p = line; (p = strchr(p, '\t'));)
		*p = ' ';
	kb_format_text(out, line);
	kb_buf_addch(out, '\n');
}

/* `value` is taken apart at its line feeds. */
static void print_line(const struct listing *l, bool starred, const char *name,
		       char *value)
{
	char *next = value, *line = strsep(&next, "\n");
	kb_auto(buf) struct kb_buf head = KB_BUF_INIT;

	kb_format_text(&head, name);
	kb_buf_addch(&head, ':');
	kb_buf_addf(l->out, "%c %-*s  ", starred ? '*' : ' ', l->width,
		    head.data);
	add_line(l->out, line);
	while ((line = strsep(&next, "\n"))) {
		if (!*line)
			continue;
		kb_buf_addf(l->out, "%*s", l->width + 4, "");
		add_line(l->out, line);
	}
}

static bool is_matched_section(const struct listing *l, const char *section)
{
	const size_t len = strlen(section);

	for (const struct kb_json *v = kb_json_first(l->match_key); v;
	     v = kb_json_next(v))
		if (!strncmp(kb_json_key(v), section, len) &&
		    kb_json_key(v)[len] == '.')
			return true;
	return false;
}

static void print_section(const struct listing *l,
			  const struct kb_json *section)
{
	if (why_unavailable(section)) {
		kb_auto(buf) struct kb_buf value = KB_BUF_INIT;

		add_value(&value, section);
		print_line(l, is_matched_section(l, kb_json_key(section)),
			   kb_json_key(section), value.data);
		return;
	}
	for (const struct kb_json *v = kb_json_first(section); v;
	     v = kb_json_next(v)) {
		kb_auto(mem) char *name = name_of(section, v);
		kb_auto(buf) struct kb_buf value = KB_BUF_INIT;

		add_value(&value, v);
		print_line(l, kb_json_find(l->match_key, name), name,
			   value.data);
	}
}

/* A field "<section>.<fact>" that a listing of the sections has not shown. */
static bool is_not_recorded(const struct kb_json *environment,
			    const char *field)
{
	const size_t len = strcspn(field, ".");
	kb_auto(mem) char *name = kb_xstrndup(field, len);
	const struct kb_json *section = kb_json_find(environment, name);

	if (!section)
		return true;
	return !why_unavailable(section) &&
	       !(field[len] && kb_json_find(section, field + len + 1));
}

static void print_not_recorded(const struct listing *l,
			       const struct kb_json *environment)
{
	bool any = false;

	for (const struct kb_json *v = kb_json_first(l->match_key); v;
	     v = kb_json_next(v)) {
		char value[] = "not recorded";

		if (!is_not_recorded(environment, kb_json_key(v)))
			continue;
		if (!any)
			kb_buf_addch(l->out, '\n');
		any = true;
		print_line(l, true, kb_json_key(v), value);
	}
}

static int wider_of(int width, const char *name)
{
	const int own = (int)strlen(name) + 1;

	return own > width ? own : width;
}

static int width_of(const struct kb_json *environment,
		    const struct kb_json *match_key)
{
	int width = 0;

	for (const struct kb_json *v = kb_json_first(match_key); v;
	     v = kb_json_next(v))
		width = wider_of(width, kb_json_key(v));
	for (const struct kb_json *s = kb_json_first(environment); s;
	     s = kb_json_next(s)) {
		width = wider_of(width, kb_json_key(s));
		for (const struct kb_json *v = kb_json_first(s); v;
		     v = kb_json_next(v)) {
			kb_auto(mem) char *name = name_of(s, v);

			width = wider_of(width, name);
		}
	}
	return width;
}

void kb_print_environment(struct kb_buf *out,
			  const struct kb_json *environment,
			  const struct kb_json *match_key)
{
	const struct listing l = {
		.out = out,
		.match_key = match_key,
		.width = width_of(environment, match_key),
	};

	for (const struct kb_json *s = kb_json_first(environment); s;
	     s = kb_json_next(s)) {
		if (s != kb_json_first(environment))
			kb_buf_addch(out, '\n');
		print_section(&l, s);
	}
	print_not_recorded(&l, environment);
}
