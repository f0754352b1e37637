/* KernelBench v3's rows as its site publishes them: those of all runs, as
 * comma-separated values. */

#include "import/claims.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "import/csv_rows.h"
#include "import/v3_rows.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "store/quote.h"

enum form { TEXT, NUMBER, WORD };

/* A row's members, and the one that says which run it is of. */
static const struct {
	const char *name;
	enum form form;
} columns[] = {
	{ "model", TEXT }, { "gpu", TEXT }, { "problem", TEXT },
	{ "level", NUMBER }, { "compiled", WORD }, { "correct", WORD },
	{ "speedup", NUMBER },
};

#define RUN "run_dir"
#define NONE SIZE_MAX

/* Where the header has them. */
struct head {
	size_t at[KB_ARRAY_LEN(columns)];
	size_t run;			/* or NONE */
	size_t count;
};

static size_t find_column(const struct kb_csv_rows *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++)
		if (!strcmp(r->cells[i], name))
			return i;
	return NONE;
}

static int read_head(struct head *h, struct kb_csv_rows *r,
		     struct kb_err *err)
{
	int ret = kb_csv_rows_next(r, err);

	if (ret < 0)
		return ret;
	h->count = r->count;
	h->run = find_column(r, RUN);
	for (size_t i = 0; i < KB_ARRAY_LEN(columns); i++) {
		h->at[i] = find_column(r, columns[i].name);
		if (h->at[i] == NONE)
			return kb_err(err, KB_ERR_INPUT,
				      "%s: has no column '%s'", r->name,
				      columns[i].name);
	}
	return 0;
}

/* As the rows' other spelling has it: nothing is null, and Python's True is
 * true. */
static int add_value(struct kb_buf *out, const char *cell, enum form form)
{
	if (form == TEXT) {
		kb_auto(json) struct kb_json *v = kb_json_string(cell);

		kb_json_print(out, v);
	} else if (!*cell) {
		kb_buf_addstr(out, "null");
	} else if (form == NUMBER && kb_number_valid(cell)) {
		kb_buf_addstr(out, cell);
	} else if (form == WORD && !strcmp(cell, "True")) {
		kb_buf_addstr(out, "true");
	} else if (form == WORD && !strcmp(cell, "False")) {
		kb_buf_addstr(out, "false");
	} else {
		return -1;
	}
	return 0;
}

/* A row becomes the JSON that v3's harness writes for it, and goes the way of
 * such rows: one reader, one set of checks. */
static int add_row(struct kb_v3_rows *rows, const struct head *h,
		   const struct kb_csv_rows *r, struct kb_err *err)
{
	kb_auto(mem) char *where = kb_xasprintf("line %zu of %s", r->line,
						r->name);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	int ret;

	for (size_t i = 0; i < KB_ARRAY_LEN(columns); i++) {
		const char *cell = r->cells[h->at[i]];

		kb_buf_addf(&text, "%c\"%s\":", i ? ',' : '{',
			    columns[i].name);
		if (add_value(&text, cell, columns[i].form) < 0)
			return kb_err(err, KB_ERR_INPUT,
				      "%s: '%s' is '%s', want %s", where,
				      columns[i].name, kb_quote_str(cell).text,
				      columns[i].form == NUMBER ?
					      "a number" : "True or False");
	}
	kb_buf_addch(&text, '}');
	ret = kb_json_parse(&v, text.data, text.len, KB_JSON_FOREIGN, where,
			    err);
	return ret < 0 ? ret : kb_v3_rows_add(rows, v, where, err);
}

/* Without `run` all rows are of one; `first` is the first's. */
static int check_run(char **first, const struct head *h, const char *run,
		     const struct kb_csv_rows *r, struct kb_err *err)
{
	const char *own = h->run == NONE ? "" : r->cells[h->run];

	if (run)
		return !strcmp(own, run);
	if (!*first)
		*first = kb_xstrdup(own);
	if (!strcmp(*first, own))
		return 1;
	return kb_err(err, KB_ERR_INPUT,
		      "%s: has rows of several runs, want --run with one of "
		      "them, such as '%s' or '%s'", r->name,
		      kb_quote_str(*first).text, kb_quote_str(own).text);
}

bool kb_v3_csv_is(const void *data, size_t len, const char *name)
{
	kb_auto(csv_rows) struct kb_csv_rows r = KB_CSV_ROWS(data, len, name);

	return kb_csv_rows_next(&r, NULL) > 0 && find_column(&r, "model") != NONE;
}

int kb_v3_csv_parse(struct kb_claims *out, const char *run, const void *data,
		    size_t len, const char *name, struct kb_err *err)
{
	kb_auto(csv_rows) struct kb_csv_rows r = KB_CSV_ROWS(data, len, name);
	kb_auto(v3_rows) struct kb_v3_rows rows = { .out = out };
	kb_auto(mem) char *first = NULL;
	struct head h;
	int ret = read_head(&h, &r, err);

	if (ret < 0)
		return ret;
	while ((ret = kb_csv_rows_next(&r, err)) > 0) {
		if (r.count != h.count)
			return kb_err(err, KB_ERR_INPUT,
				      "line %zu of %s: has %zu cells, want %zu",
				      r.line, name, r.count, h.count);
		ret = check_run(&first, &h, run, &r, err);
		if (ret > 0)
			ret = add_row(&rows, &h, &r, err);
		if (ret < 0)
			return ret;
	}
	if (ret == 0 && run && !rows.count)
		ret = kb_err(err, KB_ERR_INPUT, "%s: has no run '%s'", name,
			     kb_quote_str(run).text);
	return ret < 0 ? ret : kb_v3_rows_end(&rows, name, err);
}
