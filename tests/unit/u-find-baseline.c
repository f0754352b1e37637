/* Which baseline an evaluation gets, of bundles that tests of kb-score have. */

#include "runs/find_baseline.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "manifest/evaluation.h"
#include "store/bundle.h"
#include "store/store.h"

#define GPU "\"gpu\":{"

static char root[PATH_MAX];		/* of our sources */

static const char *const members[] = { "data/manifest.json", "data/results.jsonl" };

/* `text` with each `old` replaced, appended. */
static void replace(struct kb_buf *out, const char *text, const char *old,
		    const char *new)
{
	const char *at;

	while ((at = strstr(text, old))) {
		kb_buf_add(out, text, (size_t)(at - text));
		kb_buf_addstr(out, new);
		text = at + strlen(old);
	}
	kb_buf_addstr(out, text);
}

/* A member of a fixture, as it would be in eager mode, and of a GPU on this
 * board, if one is given. */
static void read_member(struct kb_buf *out, const char *fixture,
			const char *member, const char *board)
{
	kb_auto(mem) char *path = kb_xasprintf(
		"%s/tests/cli/score/fixture/%s/%s", root, fixture, member);
	kb_auto(mem) char *gpu = board ?
		kb_xasprintf(GPU "\"board_part_number\":\"%s\",", board) :
		kb_xstrdup(GPU);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf eager = KB_BUF_INIT;

	check_int(kb_file_read(&text, AT_FDCWD, path, 1 << 24, NULL), 0);
	replace(&eager, text.data, "\"compile:default\"", "\"eager\"");
	replace(out, eager.data, GPU, gpu);
}

static struct kb_digest add_bundle(const char *fixture, const char *board)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id = { .bytes = { 0 } };

	check_int(kb_bundle_writer_new(&w, "store", &err), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		read_member(&text, fixture, members[i], board);
		check_int(kb_bundle_writer_add(w, members[i], text.data,
					       text.len, &err), 0);
	}
	check(kb_bundle_writer_commit(w, &id, &err) >= 0);
	check_str(err.msg, "");
	return id;
}

/* What is found for an evaluation on that board. */
static int find(struct kb_digest *found, const char *board)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_digest id = add_bundle("evaluation-cuda", board);
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_store_open_id(&b, "store", &id, &err), 0);
	check_int(kb_evaluation_load(&e, &b, &err), 0);
	return kb_find_baseline(found, "store", &e, &err);
}

static struct kb_digest lowest(const struct kb_digest *ids, size_t count)
{
	struct kb_digest low = ids[0];

	for (size_t i = 1; i < count; i++)
		if (memcmp(ids[i].bytes, low.bytes, sizeof(low.bytes)) < 0)
			low = ids[i];
	return low;
}

static void enter(void)
{
	const char *src = getenv("KB_SRC");

	check(root[0] || realpath(src ? src : ".", root));
	scratch_enter();
	check_int(mkdir("store", 0755), 0);
}

static void test_there_is_none(void)
{
	struct kb_digest found;

	enter();
	add_bundle("baseline", NULL);
	check_int(find(&found, NULL), 0);
	scratch_leave();
}

static void test_another_board_is_better_than_none(void)
{
	struct kb_digest found, baseline;

	enter();
	baseline = add_bundle("baseline-cuda", "B");
	check_int(find(&found, "A"), 1);
	check(kb_digest_equal(&found, &baseline));
	scratch_leave();
}

/* For each of the boards, so that the lowest id of all is not always right; and
 * where nothing is known of the evaluation's it is. */
static void test_its_own_board_is_best(void)
{
	static const char *const boards[] = { "A", "B", "C", "D" };
	struct kb_digest ids[KB_ARRAY_LEN(boards)], found, low;

	enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(boards); i++)
		ids[i] = add_bundle("baseline-cuda", boards[i]);
	for (size_t i = 0; i < KB_ARRAY_LEN(boards); i++) {
		check_int(find(&found, boards[i]), 1);
		check(kb_digest_equal(&found, &ids[i]));
	}
	low = lowest(ids, KB_ARRAY_LEN(ids));
	check_int(find(&found, NULL), 1);
	check(kb_digest_equal(&found, &low));
	check_int(find(&found, "E"), 1);
	check(kb_digest_equal(&found, &low));
	scratch_leave();
}

TAP_MAIN(TAP(test_there_is_none), TAP(test_another_board_is_better_than_none),
	 TAP(test_its_own_board_is_best));
