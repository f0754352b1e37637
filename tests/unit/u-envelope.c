/* Envelopes and the statements in them. */

#include "sign/envelope.h"

#include "json/json.h"
#include "lib/tap.h"
#include "sign/statement.h"
#include "unit/sign_keys.h"

static void test_pae_known_answers(void)
{
	/* The first vector with a name is that of DSSE's protocol.md. */
	static const struct {
		const char *type, *body, *pae;
	} known[] = {
		{ "", "", "DSSEv1 0  0 " },
		{ "http://example.com/HelloWorld", "hello world",
		  "DSSEv1 29 http://example.com/HelloWorld 11 hello world" },
		{ "a", " 1 b", "DSSEv1 1 a 4  1 b" },
		{ "\xc3\xa9", "\n", "DSSEv1 2 \xc3\xa9 1 \n" },
		{ "ten-bytes-", "0123456789",
		  "DSSEv1 10 ten-bytes- 10 0123456789" },
	};
	kb_auto(buf) struct kb_buf nul = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_envelope_add_pae(&out, known[i].type, known[i].body,
				    strlen(known[i].body));
		check_str(out.data, known[i].pae);
	}
	kb_envelope_add_pae(&nul, "t", "\0\0", 2);
	check_int(nul.len, 15);
	check(!memcmp(nul.data, "DSSEv1 1 t 2 \0\0", 15));
}

static void seal(struct kb_buf *out, const char *payload, int who)
{
	kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
	struct kb_secret_key key = secret(who);

	kb_buf_addstr(&e.payload, payload);
	kb_envelope_sign(&e, &key);
	kb_envelope_print(out, &e);
}

#define KEYID "\"keyid\":\"06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9\""
#define SIG "\"sig\":\"FvGDbJdqPO9Hdwxf2q0S8gd6uTFGt4u2ZUpHdAYvRhMl7xfGYfqpRMAEDSW3DYgWEvdrnIbPj5NI/bqSHTBKBg==\""
#define PAYLOAD "\"payload\":\"aGVsbG8=\""
#define TYPE "\"payloadType\":\"application/vnd.in-toto+json\""

static void test_envelope_prints_what_it_was_read_from(void)
{
	static const char *const payloads[] = { "", "{}", "hello", "\n\t\"" };

	for (size_t i = 0; i < KB_ARRAY_LEN(payloads); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
		kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
		struct kb_secret_key alice = secret(ALICE), bob = secret(BOB);
		struct kb_err err = KB_ERR_INIT;

		seal(&text, payloads[i], ALICE);
		check_int(kb_envelope_parse(&e, text.data, text.len, "e", NULL),
			  0);
		check_str(e.payload.data, payloads[i]);
		kb_envelope_print(&again, &e);
		check_str(again.data, text.data);
		check_int(kb_envelope_verify(&e, &alice.public, "e", NULL), 0);

		check_int(kb_envelope_verify(&e, &bob.public, "e", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, "e: 'keyid' is another key's, "
			  "'06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9'");
		e.key_id = bob.public.id;
		check_int(kb_envelope_verify(&e, &bob.public, "e", &err),
			  -KB_ERR_CORRUPT);
		check_str(err.msg, "e: the key did not sign this payload");
	}
}

static void test_envelope_rejects(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "cannot parse 'e': ends too soon at byte 0" },
		{ "[]", "e: is an array, want an object" },
		{ "{}", "e: 'payloadType' is missing" },
		{ "{" TYPE "}", "e: 'payload' is missing" },
		{ "{\"payload\":\"\",\"payloadType\":\"text/plain\",\"signatures\":[]}",
		  "e: 'payloadType' is 'text/plain', want 'application/vnd.in-toto+json'" },
		{ "{\"payload\":\"\",\"payloadType\":\"x\\n\\u001b\"}",
		  "e: 'payloadType' is 'x?" "?', want 'application/vnd.in-toto+json'" },
		{ "{\"payload\":\"aGVsbG8\"," TYPE ",\"signatures\":[]}",
		  "e: 'payload' is not base64" },
		{ "{\"payload\":\"aGVs\\nbG8=\"," TYPE ",\"signatures\":[]}",
		  "e: 'payload' is not base64" },
		{ "{\"payload\":1," TYPE ",\"signatures\":[]}",
		  "e: 'payload' is an integer, want a string" },
		{ "{" PAYLOAD "," TYPE "}", "e: 'signatures' is missing" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":{}}",
		  "e: 'signatures' is an object, want an array" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[]}",
		  "e: has 0 signatures, want 1" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "},{" KEYID "," SIG "}]}",
		  "e: has 2 signatures, want 1" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" SIG "}]}",
		  "e: 'keyid' is missing" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{\"keyid\":\"06E3\"," SIG "}]}",
		  "e: 'keyid' is not 64 lower-case hex digits" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "}]}",
		  "e: 'sig' is missing" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID ",\"sig\":\"aGVsbG8=\"}]}",
		  "e: 'sig' is of 5 bytes, want 64" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID ",\"sig\":\"-_-_\"}]}",
		  "e: 'sig' is not base64" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{\"cert\":\"\"," KEYID "," SIG "}]}",
		  "e: 'cert' is not a known member" },
		{ "{\"note\":\"\"," PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "}]}",
		  "e: 'note' is not a known member" },
		{ "{" PAYLOAD "," PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "}]}",
		  "cannot parse 'e': key at byte 22 repeats the one at byte 1" },
		{ "{" TYPE "," PAYLOAD ",\"signatures\":[{" KEYID "," SIG "}]}",
		  "cannot parse 'e': not canonical at byte 9" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "}]}\n",
		  "cannot parse 'e': not canonical at byte 256" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "}]}{}",
		  "cannot parse 'e': more after the value at byte 256" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_envelope e = KB_ENVELOPE_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_envelope_parse(&e, cases[i].text,
					    strlen(cases[i].text), "e", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, cases[i].message);
	}
}

#define V1 "\"_type\":\"https://in-toto.io/Statement/v1\""
#define TOOL "\"tool\":{\"git_commit\":null,\"git_dirty\":null,\"name\":\"kb-sign\",\"version\":\"0.1.0\"}"
#define PREDICATE_OF(kind, version, parents, time)			\
	"\"predicate\":{\"kind\":\"" kind "\",\"parents\":[" parents "],"	\
	"\"schema_version\":" version ",\"time\":" time "," TOOL "}"
#define PREDICATE(kind, parents, time) PREDICATE_OF(kind, "1", parents, time)
#define SUITE PREDICATE("suite", "", "null")
#define PREDICATE_TYPE "\"predicateType\":\"urn:kb:signed-bundle:v1\""
#define SUBJECT(id, name)					\
	"\"subject\":[{\"digest\":{\"sha256\":\"" id "\"},\"name\":\"" name "\"}]"
#define PARENT(id, kind) "{\"id\":\"" id "\",\"kind\":\"" kind "\"}"
#define STATEMENT(predicate) \
	"{" V1 "," predicate "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}"

static void test_statement_prints_what_it_was_read_from(void)
{
	static const char *const cases[] = {
		STATEMENT(SUITE),
		STATEMENT(PREDICATE("suite", "", "\"2026-11-21T12:00:00Z\"")),
		STATEMENT(PREDICATE("submission", "", "null")),
		STATEMENT(PREDICATE_OF("baseline", "2",
				       PARENT(B64, "suite"), "null")),
		STATEMENT(PREDICATE_OF("evaluation", "2",
				       PARENT(B64, "suite") ","
				       PARENT(A64, "submission"), "null")),
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(statement) struct kb_statement s = KB_STATEMENT_INIT;
		kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_statement_parse(&s, cases[i], strlen(cases[i]),
					     "s", &err), 0);
		check_str(err.msg, "");
		if (err.kind)
			continue;
		kb_statement_print(&again, &s);
		check_str(again.data, cases[i]);
	}
}

static void test_statement_rejects(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "cannot parse 's': ends too soon at byte 0" },
		{ "\"\"", "s: is a string, want an object" },
		{ "{}", "s: '_type' is missing" },
		{ "{\"_type\":\"https://in-toto.io/Statement/v0.1\"," SUITE "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "s: '_type' is 'https://in-toto.io/Statement/v0.1', want 'https://in-toto.io/Statement/v1'" },
		{ "{" V1 "," SUITE ",\"predicateType\":\"https://slsa.dev/provenance/v1\"," SUBJECT(A64, A64) "}",
		  "s: 'predicateType' is 'https://slsa.dev/provenance/v1', want 'urn:kb:signed-bundle:v1'" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE "}",
		  "s: 'subject' is missing" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[]}",
		  "s: has 0 subjects, want 1" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{},{}]}",
		  "s: has 2 subjects, want 1" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{\"name\":\"" A64 "\"}]}",
		  "s: 'digest' is missing" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{\"digest\":{},\"name\":\"" A64 "\"}]}",
		  "s: 'sha256' is missing" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{\"digest\":{\"sha256\":\"" A64 "\",\"sha512\":\"\"},\"name\":\"" A64 "\"}]}",
		  "s: 'sha512' is not a known member" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{\"digest\":{\"sha256\":\"" A64 "\"}}]}",
		  "s: 'name' is missing" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE "," SUBJECT(A64, B64) "}",
		  "s: the subject's name is not its digest" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE "," SUBJECT("00", "00") "}",
		  "s: 'name' is not 64 lower-case hex digits" },
		{ "{" V1 "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "s: 'predicate' is missing" },
		{ STATEMENT("\"predicate\":null"),
		  "s: 'predicate' is null, want an object" },
		{ STATEMENT("\"predicate\":{}"), "s: 'kind' is missing" },
		{ STATEMENT(PREDICATE("secret", "", "null")),
		  "s: 'kind' is 'secret', which is not known" },
		{ STATEMENT(PREDICATE("suite", PARENT(A64, "suite") ","
				      PARENT(A64, "suite"), "null")),
		  "s: has 2 parents, want 1 for a suite" },
		{ STATEMENT(PREDICATE_OF("baseline", "2", PARENT(A64, "score"),
					 "null")),
		  "s: a parent's kind is 'score', want 'suite'" },
		{ STATEMENT(PREDICATE("suite", "", "0")),
		  "s: 'time' is an integer, want a string" },
		{ STATEMENT(PREDICATE("suite", "", "\"\"")),
		  "s: 'time' is empty" },
		{ STATEMENT(PREDICATE("suite", "", "\"2026-11-21\"")),
		  "s: 'time' is not of the form 2026-11-21T12:00:00Z" },
		{ STATEMENT(PREDICATE("suite", "", "\"2026-13-21T12:00:00Z\"")),
		  "s: 'time' is not of the form 2026-11-21T12:00:00Z" },
		{ "{" V1 ",\"note\":1," SUITE "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "s: 'note' is not a known member" },
		{ "{" V1 "," SUITE "," SUITE "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "cannot parse 's': key at byte 195 repeats the one at byte 43" },
		{ "{" SUITE "," V1 "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "cannot parse 's': not canonical at byte 2" },
		{ STATEMENT(SUITE) " ",
		  "cannot parse 's': not canonical at byte 412" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_statement s = KB_STATEMENT_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_statement_parse(&s, cases[i].text,
					     strlen(cases[i].text), "s", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, cases[i].message);
	}
}

TAP_MAIN(TAP(test_pae_known_answers),
	 TAP(test_envelope_prints_what_it_was_read_from),
	 TAP(test_envelope_rejects),
	 TAP(test_statement_prints_what_it_was_read_from),
	 TAP(test_statement_rejects));
