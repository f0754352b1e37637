/* Bundles that are opened without hashing what is read next. */

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "lib/tiny.h"
#include "store/bundle.h"
#include "store/store.h"

#define MEMBER "data/a/one.txt"

static int drop(void *into, const char *piece, size_t len, struct kb_err *err)
{
	size_t *total = into;

	(void)piece;
	(void)err;
	*total += len;
	return 0;
}

/* A change of it is noticed by who reads it, in either way. */
static void check_noticed(const struct kb_bundle *b)
{
	static const char want[] =
		"bundle 'b': '" MEMBER "' does not match its digest";
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	size_t total = 0;

	check_int(kb_bundle_read_pieces(b, MEMBER, 100, drop, &total, &err),
		  -KB_ERR_CORRUPT);
	check_str(err.msg, want);
	check_int(kb_bundle_read(&out, b, MEMBER, 100, &err), -KB_ERR_CORRUPT);
	check_str(err.msg, want);
}

static void test_what_is_not_read_is_hashed_when_it_is(void)
{
	static const char *const changed[] = { "One\n", "one\ntwo\n", "" };

	for (size_t i = 0; i < KB_ARRAY_LEN(changed); i++) {
		kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;

		scratch_enter();
		tiny_make("b");
		scratch_print("b/" MEMBER, changed[i]);
		check_int(kb_bundle_open_unread(&b, "b", MEMBER, NULL), 0);
		check_int(kb_bundle_find(&b, MEMBER)->size_bytes,
			  strlen(changed[i]));
		check_noticed(&b);
		scratch_leave();
	}
}

static void lose(void) { unlink("b/" MEMBER); }
static void change_another(void) { scratch_print("b/data/a/empty", "x"); }
static void add(void) { scratch_print("b/data/extra", ""); }

static void make_a_folder(void)
{
	lose();
	mkdir("b/" MEMBER, 0777);
}

static void make_it_huge(void)
{
	check_int(chmod("b/" MEMBER, 0644), 0);
	check_int(truncate("b/" MEMBER, (off_t)KB_BUNDLE_MEMBER_BYTES_MAX + 1),
		  0);
}

/* All else is asked as it always is. */
static const struct {
	void (*bend)(void);
	const char *unread, *message;
} bent[] = {
	{ lose, MEMBER, "'" MEMBER "' is declared but not there" },
	{ make_a_folder, MEMBER, "'" MEMBER "' is not a regular file" },
	{ make_it_huge, MEMBER, "'" MEMBER "' is larger than 4294967296 bytes" },
	{ add, MEMBER, "'data/extra' is not declared" },
	{ change_another, MEMBER, "'data/a/empty' does not match its digest" },
	{ change_another, NULL, "'data/a/empty' does not match its digest" },
	{ change_another, "data/a", "'data/a/empty' does not match its digest" },
};

static void test_all_else_is_looked_at(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bent); i++) {
		kb_auto(mem) char *want = kb_xasprintf("bundle 'b': %s",
						       bent[i].message);
		struct kb_bundle b = KB_BUNDLE_INIT;
		struct kb_err err = KB_ERR_INIT;

		scratch_enter();
		tiny_make("b");
		bent[i].bend();
		check(kb_bundle_open_unread(&b, "b", bent[i].unread, &err) < 0);
		check_str(err.msg, want);
		scratch_leave();
	}
}

/* By its id, the beginning of that, and a path. */
static void test_a_store_opens_it_so_as_well(void)
{
	const char *const names[] = { TINY_ID, "s/" TINY_ID, NULL };
	kb_auto(mem) char *prefix = kb_xstrndup(TINY_ID, 12);

	scratch_enter();
	check_int(mkdir("s", 0777), 0);
	tiny_make("s/" TINY_ID);
	scratch_print("s/" TINY_ID "/" MEMBER, "One\n");
	for (size_t i = 0; i < KB_ARRAY_LEN(names); i++) {
		const char *name = names[i] ? names[i] : prefix;
		struct kb_bundle b = KB_BUNDLE_INIT;

		check_int(kb_store_open(&b, "s", name, NULL), -KB_ERR_CORRUPT);
		check_int(kb_store_open_unread(&b, "s", name, MEMBER, NULL), 0);
		kb_bundle_release(&b);
	}
	scratch_leave();
}

TAP_MAIN(TAP(test_what_is_not_read_is_hashed_when_it_is),
	 TAP(test_all_else_is_looked_at),
	 TAP(test_a_store_opens_it_so_as_well));
