/* Any bytes as a chart: what comes of it begins and ends as a PDF does. */

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "fuzz/must.h"
#include "pages/pdf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf pdf = KB_BUF_INIT;

	kb_pdf_print(&pdf, (const char *)data, size);
	must(pdf.len > 15 && !memcmp(pdf.data, "%PDF-1.4\n", 9));
	must(!memcmp(pdf.data + pdf.len - 6, "%%EOF\n", 6));
	return 0;
}
