/*
 * Any bytes as a generation_config.yaml. What is taken can stand in a
 * record, and is read back from what is printed of it.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "import/kernelbench_runs.h"
#include "json/json.h"
#include "manifest/provenance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Building a record checks that every text is valid UTF-8 without NUL. */
static void print(struct kb_buf *out, const struct kb_provenance *p)
{
	kb_auto(json) struct kb_json *v = kb_json_object();

	must(kb_provenance_check(p, "fuzz", NULL) == 0);
	kb_provenance_to_json(v, p);
	kb_json_print(out, v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(provenance) struct kb_provenance p = KB_PROVENANCE_INIT;
	kb_auto(provenance) struct kb_provenance again = KB_PROVENANCE_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf first = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf second = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret;

	ret = kb_runs_config_parse(&p, data, size, "fuzz", &err);
	must((ret == 0) == (err.kind == 0));
	if (ret < 0) {
		must(ret == -KB_ERR_INPUT);
		return 0;
	}
	print(&first, &p);

	kb_runs_config_print(&text, &p, 1);
	must(kb_runs_config_parse(&again, text.data, text.len, "fuzz",
				  NULL) == 0);
	print(&second, &again);
	must(!strcmp(first.data, second.data));
	return 0;
}
