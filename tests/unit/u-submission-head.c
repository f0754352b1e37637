/* A record without its candidates, from pieces of the whole. */

#include "manifest/submission_head.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"

static const struct {
	const char *whole, *head;
} cases[] = {
	{ "{\"candidates\":[],\"kind\":\"submission\"}",
	  "{\"candidates\":[],\"kind\":\"submission\"}" },
	{ "{\"candidates\":[{\"file\":\"]\",\"of\":[1,[2]]},{}],\"model\":\"m\"}",
	  "{\"candidates\":[],\"model\":\"m\"}" },
	{ "{\"candidates\":[\"\\\\\",\"\\\"]\",\"x\"],\"notes\":\"\\\"],[{\"}",
	  "{\"candidates\":[],\"notes\":\"\\\"],[{\"}" },
	{ "{\"candidates\":{\"a\":1},\"parents\":[{\"id\":\"1\"}]}",
	  "{\"candidates\":{},\"parents\":[{\"id\":\"1\"}]}" },
	{ "{\"a\":{\"candidates\":[1]},\"notes\":\"\\\"candidates\\\":\"}",
	  "{\"a\":{\"candidates\":[1]},\"notes\":\"\\\"candidates\\\":\"}" },
	{ "[\"candidates\",[1]]", "[\"candidates\",[1]]" },
	{ "]}1", "]}1" },
	{ "", "" },
};

static void test_pieces_make_the_same_wherever_they_are_cut(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const size_t len = strlen(cases[i].whole);

		for (size_t cut = 0; cut <= len; cut++) {
			kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
			struct kb_head_text t = { .out = &out };

			kb_head_text_take(&t, cases[i].whole, cut);
			kb_head_text_take(&t, cases[i].whole + cut, len - cut);
			check_str(out.len ? out.data : "", cases[i].head);
		}
	}
}

static void join(void *into, const struct kb_buf *one)
{
	kb_buf_addf(into, "<%s>", one->data);
}

static void test_candidates_are_handed_on_one_by_one(void)
{
	static const char *const ones[KB_ARRAY_LEN(cases)] = {
		"", "<{\"file\":\"]\",\"of\":[1,[2]]}><{}>",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const size_t len = strlen(cases[i].whole);

		for (size_t cut = 0; cut <= len; cut++) {
			kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
			kb_auto(buf) struct kb_buf one = KB_BUF_INIT;
			kb_auto(buf) struct kb_buf all = KB_BUF_INIT;
			struct kb_head_text t = {
				.out = &out, .one = &one, .take = join,
				.into = &all,
			};

			kb_head_text_take(&t, cases[i].whole, cut);
			kb_head_text_take(&t, cases[i].whole + cut, len - cut);
			check_str(out.len ? out.data : "", cases[i].head);
			check_str(all.len ? all.data : "",
				  ones[i] ? ones[i] : "");
		}
	}
}

TAP_MAIN(TAP(test_pieces_make_the_same_wherever_they_are_cut),
	 TAP(test_candidates_are_handed_on_one_by_one));
