/*
 * Any bytes as an envelope, as the statement in one, and as base64: what is
 * taken prints as the bytes it was read from.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "sign/base64.h"
#include "sign/envelope.h"
#include "sign/statement.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds, const char *what)
{
	if (!holds)
		KB_BUG(what);
}

static int same(const struct kb_buf *text, const void *data, size_t size)
{
	return text->len == size && !memcmp(text->data, data, size);
}

static void fuzz_base64(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
	kb_auto(mem) char *text = kb_xstrndup((const char *)data, size);

	if (!kb_base64_decode(&bytes, text)) {
		require(bytes.len == 0, "a refusal left bytes behind");
		return;
	}
	kb_base64_encode(&again, bytes.data, bytes.len);
	require(same(&again, text, strlen(text)),
		"base64 has a second spelling");
}

static void fuzz_statement(const void *data, size_t size)
{
	kb_auto(statement) struct kb_statement s = KB_STATEMENT_INIT;
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_statement_parse(&s, data, size, "fuzz", &err) < 0) {
		require(err.kind == KB_ERR_INPUT && err.msg[0],
			"a refusal without a reason");
		require(!s.tool && !s.time, "a refusal left something behind");
		return;
	}
	kb_statement_print(&again, &s);
	require(same(&again, data, size), "a statement has a second spelling");
}

static void fuzz_envelope(const void *data, size_t size)
{
	kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_envelope_parse(&e, data, size, "fuzz", &err) < 0) {
		require(err.kind == KB_ERR_INPUT && err.msg[0],
			"a refusal without a reason");
		require(!e.payload.len, "a refusal left something behind");
		return;
	}
	kb_envelope_print(&again, &e);
	require(same(&again, data, size), "an envelope has a second spelling");
	fuzz_statement(e.payload.data, e.payload.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_base64(data, size);
	fuzz_statement(data, size);
	fuzz_envelope(data, size);
	return 0;
}
