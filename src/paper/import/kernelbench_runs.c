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
#include "import/yaml.h"
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

/* The kinds of keys, by the form that we keep. */
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
	{ "precision", WANT_TEXT, offsetof(struct kb_provenance, precision) },
	{ "backend", WANT_TEXT, offsetof(struct kb_provenance, backend) },
	{ "num_samples", WANT_INT,
	  offsetof(struct kb_provenance, samples_per_problem) },
};

/* Keys that kb has no use for may hold anything, also nested; of those that it
 * wants anything else is refused and not guessed. */
struct reader {
	struct kb_provenance *out;
	const char *name;		/* of the file, for messages */
	bool seen[KB_ARRAY_LEN(fields)];
};

static int refuse_member(const struct reader *r, const struct kb_yaml_member *m,
			 const char *why, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "line %zu of %s: '%s' is %s", m->line,
		      r->name, m->key, why);
}

static const struct field *find_field(const char *key)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(fields); i++)
		if (!strcmp(fields[i].key, key))
			return &fields[i];
	return NULL;
}

static bool parse_int(int64_t *out, const char *text)
{
	int64_t n = 0;

	for (const char *p = text; *p; p++) {
		if (*p < '0' || *p > '9' || n > KB_JSON_INT_MAX / 10)
			return false;
		n = 10 * n + (*p - '0');
	}
	*out = n;
	return true;
}

/* On a command line of KernelBench's "None" is what is not given. */
static bool is_known(const struct kb_yaml_member *m)
{
	return m->kind != KB_YAML_NULL &&
	       !(m->text && (!*m->text || !strcmp(m->text, "None")));
}

static int take_member(void *context, const struct kb_yaml_member *m,
		       struct kb_err *err)
{
	struct reader *r = context;
	const struct field *field = find_field(m->key);
	char *at;

	if (!field)
		return 0;
	if (r->seen[field - fields])
		return refuse_member(r, m, "there twice", err);
	r->seen[field - fields] = true;
	if (!is_known(m))
		return 0;
	if (m->kind != KB_YAML_TEXT)
		return refuse_member(r, m, "not text", err);
	at = (char *)r->out + field->offset;
	if (field->want == WANT_INT)
		return parse_int((int64_t *)at, m->text) ? 0 :
			       refuse_member(r, m, "not a whole number", err);
	*(char **)at = kb_xstrdup(m->text);
	return 0;
}

int kb_runs_config_parse(struct kb_provenance *out, const void *data,
			 size_t len, const char *name, struct kb_err *err)
{
	struct reader r = { .out = out, .name = name };
	int ret;

	*out = (struct kb_provenance)KB_PROVENANCE_INIT;
	ret = kb_yaml_each(data, len, name, take_member, &r, err);
	if (ret == 0)
		ret = kb_provenance_check(out, name, err);
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

/* Within double quotes, as PyYAML has it: some characters that JSON leaves as
 * they are end a line in YAML, or may not be there at all. */
static void add_quoted(struct kb_buf *out, const char *text)
{
	const char *end = text + strlen(text);
	uint32_t c;

	kb_buf_addch(out, '"');
	for (; text < end; text += kb_utf8_decode(&c, text, (size_t)(end - text))) {
		kb_utf8_decode(&c, text, (size_t)(end - text));
		if (c == '"' || c == '\\')
			kb_buf_addf(out, "\\%c", (char)c);
		else if (c >= ' ' && c <= '~')
			kb_buf_addch(out, (char)c);
		else
			kb_buf_addf(out, c > 0xffff ? "\\U%08X" :
				    c > 0xff ? "\\u%04X" : "\\x%02X", c);
	}
	kb_buf_addch(out, '"');
}

/* Decimals stay as spelt; what is text to us may look like a number to YAML,
 * so all of it is quoted. */
static void print_text(struct kb_buf *out, const struct field *f,
		       const char *text)
{
	const bool is_decimal =
		f->offset == offsetof(struct kb_provenance, temperature) ||
		f->offset == offsetof(struct kb_provenance, top_p);

	kb_buf_addf(out, "%s: ", f->key);
	if (is_decimal)
		kb_buf_addstr(out, text);
	else
		add_quoted(out, text);
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
