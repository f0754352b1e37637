#include "report/evaluation_table.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/evaluation.h"
#include "report/format.h"
#include "report/table.h"
#include "score/speedup.h"

static int64_t time_of(const struct kb_timing *t)
{
	return t ? t->call_time_ns : KB_UNKNOWN;
}

static void add_result(struct kb_table *t, const struct kb_result *r)
{
	const int64_t candidate_ns = time_of(r->timing);
	const int64_t reference_ns = time_of(r->reference_timing);
	const bool known = candidate_ns != KB_UNKNOWN &&
			   reference_ns != KB_UNKNOWN;
	char text[KB_FORMAT_SIZE], key[KB_KEY_SIZE];
	kb_auto(buf) struct kb_buf detail = KB_BUF_INIT;

	kb_key_format(key, r->key);
	kb_table_add(t, key);
	kb_table_addf(t, "%d", r->sample_id);
	kb_table_add(t, kb_status_name(r->outcome.status));
	kb_format_us(text, candidate_ns);
	kb_table_add(t, text);
	kb_format_us(text, reference_ns);
	kb_table_add(t, text);
	kb_format_ratio(text, known ? kb_ratio_micro(reference_ns,
						     candidate_ns)
				    : KB_UNKNOWN);
	kb_table_add(t, text);
	if (r->outcome.detail)
		kb_format_text(&detail, r->outcome.detail);
	kb_table_add(t, detail.data);
}

static void print_counts(struct kb_buf *out, const struct kb_evaluation *e)
{
	const char *separator = "";

	for (int s = 0; s < KB_STATUS_COUNT; s++) {
		size_t count = 0;

		for (size_t i = 0; i < e->result_count; i++)
			count += e->results[i].outcome.status ==
				 (enum kb_status)s;
		if (!count)
			continue;
		kb_buf_addf(out, "%s%s %zu", separator,
			    kb_status_name((enum kb_status)s), count);
		separator = ", ";
	}
	kb_buf_addch(out, '\n');
}

void kb_evaluation_table_print(struct kb_buf *out,
			       const struct kb_evaluation *e)
{
	static const struct kb_column columns[] = {
		{ "problem", KB_ALIGN_LEFT },
		{ "sample", KB_ALIGN_RIGHT },
		{ "status", KB_ALIGN_LEFT },
		{ "candidate_us", KB_ALIGN_RIGHT },
		{ "reference_us", KB_ALIGN_RIGHT },
		{ "ratio", KB_ALIGN_RIGHT },
		{ "detail", KB_ALIGN_LEFT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	for (size_t i = 0; i < e->result_count; i++)
		add_result(t, &e->results[i]);
	kb_table_print(out, t);
	kb_buf_addch(out, '\n');
	print_counts(out, e);
}
