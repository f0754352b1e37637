/* Any bytes as a worker's report of its kernels: what is made of it can be
 * written as a record, and is read back as it was. */

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "worker/kernels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_printable(const char *text)
{
	for (; text && *text; text++)
		must(*text >= ' ' && *text <= '~');
}

static void must_be_read_back(const struct kb_json *record,
			      const struct kb_buf *text)
{
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
	kb_auto(kernels) struct kb_kernels *k = NULL;
	kb_auto(json) struct kb_json *v = kb_json_object();
	struct kb_err err = KB_ERR_INIT;
	struct kb_fields f;

	kb_fields_begin(&f, record, "report", &err);
	k = kb_kernels_read(&f, "kernels");
	must(kb_fields_end(&f) == 0 && k);
	kb_json_set(v, "kernels", kb_kernels_to_json(k));
	kb_json_print(&again, v);
	must(again.len == text->len && !memcmp(again.data, text->data, text->len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(mem) struct kb_kernels_report *report =
		kb_xcalloc(1, sizeof(*report));
	kb_auto(kernels) struct kb_kernels *k = NULL;
	kb_auto(json) struct kb_json *v = kb_json_object();
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (size)
		memcpy(report, data,
		       size < sizeof(*report) ? size : sizeof(*report));
	k = kb_kernels_of_report(report);
	must(k && (!k->unavailable || (*k->unavailable && !k->count)));
	must_be_printable(k->unavailable);
	must_be_printable(k->chip);
	for (size_t i = 0; i < k->count; i++)
		must_be_printable(k->items[i].name);
	kb_json_set(v, "kernels", kb_kernels_to_json(k));
	kb_json_print(&text, v);
	must_be_read_back(v, &text);
	return 0;
}
