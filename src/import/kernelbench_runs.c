#include "import/kernelbench_runs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "import/folder.h"
#include "import/sources.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/provenance.h"

bool kb_runs_is(const char *path)
{
	kb_auto(mem) char *config = kb_xasprintf("%s/%s", path,
						 KB_RUNS_CONFIG);
	struct stat st;

	return stat(config, &st) == 0 && S_ISREG(st.st_mode);
}

/* What a key of theirs becomes of ours. */
enum want {
	WANT_TEXT,			/* char * */
	WANT_INT,			/* int64_t */
};

static const struct field {
	const char *key;
	enum want want;
	size_t offset;			/* in struct kb_provenance */
} fields[] = {
	{ "run_name", WANT_TEXT, offsetof(struct kb_provenance, run_name) },
	{ "model_name", WANT_TEXT, offsetof(struct kb_provenance, model) },
	{ "server_type", WANT_TEXT,
	  offsetof(struct kb_provenance, server_type) },
	{ "temperature", WANT_TEXT,
	  offsetof(struct kb_provenance, temperature) },
	{ "top_p", WANT_TEXT, offsetof(struct kb_provenance, top_p) },
	{ "max_tokens", WANT_INT,
	  offsetof(struct kb_provenance, max_tokens) },
	{ "num_samples", WANT_INT,
	  offsetof(struct kb_provenance, samples_per_problem) },
};

/* KernelBench's generation_config.yaml is what PyYAML prints of a flat
 * dictionary: a key and a scalar a line. That much of YAML is read. Keys that
 * kb has no use for may hold anything, also nested; of those that it wants
 * anything else is refused and not guessed. */
struct reader {
	struct kb_provenance *out;
	const char *name;		/* of the file, for messages */
	size_t number;			/* of the line */
	const struct field *last;	/* what the last key was, or NULL */
	bool seen[KB_ARRAY_LEN(fields)];
	struct kb_err *err;
};

static int refuse(const struct reader *r, const char *why)
{
	return kb_err(r->err, KB_ERR_INPUT, "line %zu of %s: %s", r->number,
		      r->name, why);
}

/* 'it''s' is it's. NULL unless the quotes match to the end. */
static char *unquote_single(const char *p, size_t len)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	if (len < 2 || p[len - 1] != '\'')
		return NULL;
	for (size_t i = 1; i < len - 1; i++) {
		if (p[i] == '\'' && (++i == len - 1 || p[i] != '\''))
			return NULL;
		kb_buf_addch(&out, p[i]);
	}
	return kb_buf_detach(&out);
}

/*
 * "..." is a JSON string but for escapes of YAML's own. Those are so rare
 * in a name that refusing them is better than a second decoder.
 */
static char *unquote_double(const char *p, size_t len)
{
	kb_auto(json) struct kb_json *v = NULL;

	if (kb_json_parse(&v, p, len, KB_JSON_OURS, "", NULL) < 0 ||
	    kb_json_type(v) != KB_JSON_STRING)
		return NULL;
	return kb_xstrdup(kb_json_string_value(v));
}

/* Neither the beginning of something else nor the end of a key inside. */
static bool is_plain(const char *p, size_t len)
{
	if (strchr("|>&*!{[%@`#,?", p[0]))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (p[i] == ':' && (i + 1 == len || p[i + 1] == ' '))
			return false;
		if (p[i] == '#' && i > 0 && p[i - 1] == ' ')
			return false;
	}
	return true;
}

static bool is_null(const char *p, size_t len)
{
	static const char *const nulls[] = { "", "~", "null", "None" };

	for (size_t i = 0; i < KB_ARRAY_LEN(nulls); i++)
		if (strlen(nulls[i]) == len && !memcmp(p, nulls[i], len))
			return true;
	return false;
}

/* The caller frees; NULL if it is no scalar of one line. */
static char *read_scalar(const char *p, size_t len)
{
	if (!kb_utf8_valid(p, len) || memchr(p, '\0', len))
		return NULL;
	if (p[0] == '\'')
		return unquote_single(p, len);
	if (p[0] == '"')
		return unquote_double(p, len);
	return is_plain(p, len) ? kb_xstrndup(p, len) : NULL;
}

static int store_int(struct reader *r, const char *text, int64_t *out)
{
	int64_t n = 0;

	if (!*text)
		return refuse(r, "the value is not a whole number");
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || n > KB_JSON_INT_MAX / 10)
			return refuse(r, "the value is not a whole number");
		n = 10 * n + (*text - '0');
	}
	*out = n;
	return 0;
}

static int store(struct reader *r, const struct field *field, const char *p,
		 size_t len)
{
	kb_auto(mem) char *text = NULL;
	char *at = (char *)r->out + field->offset;

	if (is_null(p, len))
		return 0;
	text = read_scalar(p, len);
	if (!text)
		return refuse(r, "the value is not plain text on one line");
	if (is_null(text, strlen(text)))
		return 0;
	if (field->want == WANT_INT)
		return store_int(r, text, (int64_t *)at);
	*(char **)at = kb_steal(text);
	return 0;
}

/* Where the value's colon is, or NULL. */
static const char *find_colon(const char *p, const char *end)
{
	for (; p < end; p++)
		if (*p == ':' && (p + 1 == end || p[1] == ' '))
			return p;
	return NULL;
}

static const struct field *find_field(const char *key, size_t len)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(fields); i++)
		if (strlen(fields[i].key) == len &&
		    !memcmp(fields[i].key, key, len))
			return &fields[i];
	return NULL;
}

static bool is_nested(char first)
{
	return first == ' ' || first == '\t' || first == '-';
}

static int read_line(struct reader *r, const char *p, const char *end)
{
	const char *colon, *value;

	while (end > p && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	if (p == end || *p == '#' || (end - p == 3 && !memcmp(p, "---", 3)))
		return 0;
	if (is_nested(*p))
		return r->last ? refuse(r, "the value goes on after its line")
			       : 0;
	colon = find_colon(p, end);
	if (!colon)
		return refuse(r, "is not of the form 'key: value'");

	r->last = find_field(p, (size_t)(colon - p));
	if (!r->last)
		return 0;
	if (r->seen[r->last - fields])
		return refuse(r, "the key is there twice");
	r->seen[r->last - fields] = true;
	for (value = colon + 1; value < end && *value == ' '; value++)
		;
	return store(r, r->last, value, (size_t)(end - value));
}

static int read_lines(struct reader *r, const char *p, const char *end)
{
	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		int ret;

		if (!eol)
			eol = end;
		r->number++;
		ret = read_line(r, p, eol);
		if (ret < 0)
			return ret;
		p = eol + 1;
	}
	return kb_provenance_check(r->out, r->name, r->err);
}

int kb_runs_config_parse(struct kb_provenance *out, const void *data,
			 size_t len, const char *name, struct kb_err *err)
{
	struct reader r = { .out = out, .name = name, .err = err };
	const char *p = data;
	int ret;

	*out = (struct kb_provenance)KB_PROVENANCE_INIT;
	ret = len ? read_lines(&r, p, p + len) : 0;
	if (ret < 0)
		kb_provenance_release(out);
	return ret;
}

int kb_runs_read(struct kb_provenance *provenance, struct kb_sources *sources,
		 const char *path, struct kb_err *err)
{
	kb_auto(mem) char *config = kb_xasprintf("%s/%s", path,
						 KB_RUNS_CONFIG);
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	int ret;

	ret = kb_file_read(&buf, AT_FDCWD, config, KB_RUNS_CONFIG_BYTES_MAX,
			   err);
	if (ret < 0)
		return ret;
	ret = kb_runs_config_parse(provenance, buf.data, buf.len, config,
				   err);
	if (ret < 0)
		return ret;
	ret = kb_folder_read(sources, path, err);
	if (ret < 0)
		kb_provenance_release(provenance);
	return ret;
}

/* Decimals stay as spelt; what is text to us may look like a number to YAML,
 * so all of it is quoted. */
static void print_text(struct kb_buf *out, const struct field *f,
		       const char *text)
{
	const bool is_decimal =
		f->offset == offsetof(struct kb_provenance, temperature) ||
		f->offset == offsetof(struct kb_provenance, top_p);
	kb_auto(json) struct kb_json *v = kb_json_string(text);

	kb_buf_addf(out, "%s: ", f->key);
	if (is_decimal)
		kb_buf_addstr(out, text);
	else
		kb_json_print(out, v);
	kb_buf_addch(out, '\n');
}

void kb_runs_config_print(struct kb_buf *out, const struct kb_provenance *p,
			  int level)
{
	kb_buf_addf(out, "level: %d\n", level);
	for (size_t i = 0; i < KB_ARRAY_LEN(fields); i++) {
		const void *at = (const char *)p + fields[i].offset;
		const char *text;
		int64_t n;

		if (fields[i].want == WANT_INT) {
			memcpy(&n, at, sizeof(n));
			if (n != KB_UNKNOWN)
				kb_buf_addf(out, "%s: %" PRId64 "\n",
					    fields[i].key, n);
			continue;
		}
		memcpy(&text, at, sizeof(text));
		if (text)
			print_text(out, &fields[i], text);
	}
}
