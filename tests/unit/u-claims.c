#include "import/claims.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "import/csv_rows.h"
#include "lib/tap.h"

#define OK(runtime) "{\"sample_id\":0,\"compiled\":true," \
	"\"correctness\":true,\"runtime\":" runtime "}"
#define OTHER "{\"sample_id\":1,\"compiled\":true,\"correctness\":true," \
	"\"runtime\":9}"
#define WRONG "{\"sample_id\":0,\"compiled\":true,\"correctness\":false}"
#define BROKEN "{\"sample_id\":0,\"compiled\":false,\"correctness\":false," \
	"\"runtime\":\"what it is does not matter\"}"

/* One line a claim: the problem, c and k for compiled and correct, times. */
static void describe(struct kb_buf *out, const struct kb_claims *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct kb_claim *item = &c->items[i];

		kb_buf_addf(out, "%d/%d %s%s%g %g\n", item->key.level,
			    item->key.problem_id,
			    item->says.compiled ? "c" : "-",
			    item->says.correct ? "k " : "- ",
			    item->says.runtime_ms, item->says.baseline_ms);
	}
}

static void check_claims(struct kb_claims *c, int ret, const char *want)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	check_int(ret, 0);
	check_int(kb_claims_sort(c, "t", NULL), 0);
	describe(&out, c);
	check_str(out.data, want);
	kb_claims_release(c);
}

static void test_results(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "{}", "" },
		{ "{\"1\":[]}", "" },
		{ "{\"1\":[" OK("2.5") "]}", "7/1 ck 2.5 0\n" },
		{ "{\"1\":[" OK("-1.0") "]}", "7/1 ck -1 0\n" },
		{ "{\"1\":[" OK("3") "," OTHER "]}", "7/1 ck 3 0\n" },
		{ "{\"1\":[" OTHER "]}", "" },
		{ "{\"20\":[" WRONG "],\"3\":" BROKEN "}",
		  "7/3 -- -1 0\n7/20 c- -1 0\n" },
		/* Version 0, with a number and without. */
		{ "{\"4\":" OK("1") "}", "7/4 ck 1 0\n" },
		{ "{\"4\":" OTHER "}", "" },
		{ "{\"4\":{\"compiled\":true,\"correctness\":true,"
		  "\"runtime\":2}}", "7/4 ck 2 0\n" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_claims c = KB_CLAIMS_INIT;
		int ret = kb_eval_results_parse(&c, 7, cases[i].text,
						strlen(cases[i].text), "t",
						NULL);

		check_claims(&c, ret, cases[i].want);
	}
}

static void test_times(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "{}", "" },
		{ "{\"level1\":{}}", "" },
		{ "{\"level99\":{\"999999_x.py\":{\"mean\":1e3}},"
		  "\"level2\":{\"1_x.py\":null}}",
		  "2/1 -- 0 0\n99/999999 -- 0 1000\n" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_claims c = KB_CLAIMS_INIT;
		int ret = kb_baseline_times_parse(&c, cases[i].text,
						  strlen(cases[i].text), "t",
						  NULL);

		check_int(ret, 0);
		check_claims(&c, ret, cases[i].want);
	}
}

#define ROW(name, level, speedup) "{\"model\":\"m\",\"gpu\":\"g\"," \
	"\"problem\":\"" name "\",\"level\":" level ",\"compiled\":true," \
	"\"correct\":true,\"speedup\":" speedup "}"

static void test_rows(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "" },
		{ ROW("a", "1", "2"), "1/1 ck 1 2\n" },
		{ ROW("a", "1", "2") "\n", "1/1 ck 1 2\n" },
		{ ROW("a", "2", "null") "\n" ROW("a", "1", "0.5") "\n",
		  "1/2 ck 1 0.5\n2/1 ck 1 0\n" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_claims c = KB_CLAIMS_INIT;
		int ret = kb_v3_rows_parse(&c, cases[i].text,
					   strlen(cases[i].text), "t", NULL);

		check_claims(&c, ret, cases[i].want);
	}
}

static void test_csv_rows(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "" },
		{ "\n", "1:|\n" },
		{ "a", "1:a|\n" },
		{ "a,b\n,\n", "1:a|b|\n2:||\n" },
		{ "a\r\nb\r", "1:a|\n2:b\r|\n" },
		{ "\"a\",\"\",\"\"\"\"\n", "1:a||\"|\n" },
		{ "\"a\nb\",c\nd\n", "1:a\nb|c|\n3:d|\n" },
		{ "a\"b\n", "1:a\"b|\n" },
		{ "\"", "line 1 of t: a quote is not closed" },
		{ "\"a\"\"", "line 1 of t: a quote is not closed" },
		{ "\"a\"b", "line 1 of t: more after a quote" },
		{ "a\n\xff", "1:a|\nline 2 of t: is not text" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(csv_rows) struct kb_csv_rows r = KB_CSV_ROWS(
			cases[i].text, strlen(cases[i].text), "t");
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		while (kb_csv_rows_next(&r, &err) > 0) {
			kb_buf_addf(&out, "%zu:", r.line);
			for (size_t j = 0; j < r.count; j++)
				kb_buf_addf(&out, "%s|", r.cells[j]);
			kb_buf_addch(&out, '\n');
		}
		kb_buf_addstr(&out, err.msg);
		check_str(out.data, cases[i].want);
	}
}

static void test_problem_ids(void)
{
	static const struct {
		const char *text;
		int id;
	} cases[] = {
		{ "", 0 }, { "0", 0 }, { "01", 0 }, { "1", 1 }, { "19", 19 },
		{ "999999", 999999 }, { "1000000", 0 },
		{ "99999999999999999999", 0 }, { "-1", 0 }, { "+1", 0 },
		{ " 1", 0 }, { "1 ", 0 }, { "a", 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_int(kb_claim_problem_id(cases[i].text,
					      strlen(cases[i].text)),
			  cases[i].id);
}

static void test_claims_are_found(void)
{
	struct kb_claims c = KB_CLAIMS_INIT;
	struct kb_err err = KB_ERR_INIT;

	check(kb_claims_find(&c, (struct kb_key){ 1, 1 }, NULL) == NULL);
	kb_claims_add(&c, &(struct kb_claim){ .key = { 2, 1 } });
	kb_claims_add(&c, &(struct kb_claim){ .key = { 1, 9 } });
	check_int(kb_claims_sort(&c, "t", NULL), 0);
	check(kb_claims_find(&c, (struct kb_key){ 1, 9 }, NULL) == &c.items[0]);
	check(kb_claims_find(&c, (struct kb_key){ 1, 1 }, NULL) == NULL);
	kb_claims_add(&c, &(struct kb_claim){ .key = { 2, 1 } });
	check_int(kb_claims_sort(&c, "t", &err), -KB_ERR_INPUT);
	check_str(err.msg, "t: has problem '2/1' twice");
	kb_claims_release(&c);
}

TAP_MAIN(TAP(test_results),
	 TAP(test_times),
	 TAP(test_rows),
	 TAP(test_csv_rows),
	 TAP(test_problem_ids),
	 TAP(test_claims_are_found));
