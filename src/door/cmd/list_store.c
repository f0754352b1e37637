#include "cmd/list_store.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "cmd/about.h"
#include "store/refs.h"
#include "store/store.h"
#include "tables/table.h"

#define LISTED_DIGITS 8		/* the fewest that a store takes for an id */

struct row {
	struct kb_digest id;
	enum kb_kind kind;
	int64_t written_ns;
	struct kb_buf about;
};

struct rows {
	struct row *items;
	size_t count;
};

static void kb_cleanup_rows(struct rows *r)
{
	for (size_t i = 0; i < r->count; i++)
		kb_buf_release(&r->items[i].about);
	free(r->items);
}

/* The names of a store, and what each stands for. */
struct names {
	struct kb_refs refs;
	struct kb_digest *ids;
	bool *are_known;		/* one that cannot be read is not */
};

static void kb_cleanup_names(struct names *n)
{
	kb_refs_release(&n->refs);
	free(n->ids);
	free(n->are_known);
}

static int load_names(struct names *n, const char *store, struct kb_err *err)
{
	const int ret = kb_refs_list(&n->refs, store, err);

	if (ret < 0)
		return ret;
	n->ids = kb_xcalloc(n->refs.count + 1, sizeof(*n->ids));
	n->are_known = kb_xcalloc(n->refs.count + 1, sizeof(*n->are_known));
	for (size_t i = 0; i < n->refs.count; i++)
		n->are_known[i] = kb_ref_get(&n->ids[i], store,
					     n->refs.items[i], NULL) == 1;
	return 0;
}

static void print_names(struct kb_buf *out, const struct names *n,
			const struct kb_digest *id)
{
	const char *separator = "";

	for (size_t i = 0; i < n->refs.count; i++) {
		if (!n->are_known[i] || !kb_digest_equal(&n->ids[i], id))
			continue;
		kb_buf_addf(out, "%s%s", separator, n->refs.items[i]);
		separator = " ";
	}
}

int kb_names_print(struct kb_buf *out, const char *store,
		   const struct kb_digest *id, struct kb_err *err)
{
	kb_auto(names) struct names n = { .refs = KB_REFS_INIT };
	const int ret = load_names(&n, store, err);

	if (ret == 0)
		print_names(out, &n, id);
	return ret;
}

/* A bundle is renamed into the store, and its directory not written after. */
static int64_t written_ns(const char *store, const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];
	kb_auto(mem) char *path = NULL;
	struct stat st;

	kb_digest_format(id, hex);
	path = kb_xasprintf("%s/%s", store, hex);
	if (stat(path, &st) < 0)
		return 0;
	return st.st_mtim.tv_sec * KB_NS_PER_S + st.st_mtim.tv_nsec;
}

static void fill_row(struct row *r, const char *store)
{
	struct kb_err why = KB_ERR_INIT;

	r->written_ns = written_ns(store, &r->id);
	if (kb_about_id_print(&r->about, &r->kind, &r->id, store, &why) >= 0)
		return;
	r->kind = KB_KIND_COUNT;
	kb_buf_clear(&r->about);
	kb_buf_addf(&r->about, "cannot be read: %s", why.msg);
}

static int compare_listed(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->written_ns != b->written_ns)
		return a->written_ns < b->written_ns ? -1 : 1;
	return memcmp(&a->id, &b->id, sizeof(a->id));
}

static void add_row(struct kb_table *t, const struct row *r,
		    const struct names *n)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];

	print_names(&names, n, &r->id);
	kb_digest_format(&r->id, hex);
	kb_table_addf(t, "%.*s", LISTED_DIGITS, hex);
	kb_table_add(t, r->kind < KB_KIND_COUNT ? kb_kind_name(r->kind) : "-");
	kb_table_add(t, names.data);
	kb_table_add(t, r->about.data);
}

static int load_rows(struct rows *rows, const char *store, struct kb_err *err)
{
	kb_auto(mem) struct kb_digest *ids = NULL;
	size_t count;
	const int ret = kb_store_list(&ids, &count, store, err);

	if (ret < 0)
		return ret;
	rows->items = kb_xcalloc(count + 1, sizeof(*rows->items));
	for (rows->count = 0; rows->count < count; rows->count++) {
		struct row *r = &rows->items[rows->count];

		*r = (struct row){ .id = ids[rows->count],
				   .about = KB_BUF_INIT };
		fill_row(r, store);
	}
	qsort(rows->items, rows->count, sizeof(*rows->items), compare_listed);
	return 0;
}

int kb_list_store(struct kb_buf *out, const char *store, struct kb_look look,
		  struct kb_err *err)
{
	static const struct kb_column columns[] = {
		{ "id", KB_ALIGN_LEFT },
		{ "kind", KB_ALIGN_LEFT },
		{ "names", KB_ALIGN_LEFT },
		{ "what it is", KB_ALIGN_LEFT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));
	kb_auto(rows) struct rows rows = { NULL, 0 };
	kb_auto(names) struct names names = { .refs = KB_REFS_INIT };
	int ret;

	if (access(store, F_OK) < 0 && errno == ENOENT)
		return kb_err(err, KB_ERR_MISSING, "there is no store '%s'; "
			      "--store names another one", store);
	ret = load_rows(&rows, store, err);
	if (ret == 0)
		ret = load_names(&names, store, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < rows.count; i++)
		add_row(t, &rows.items[i], &names);
	kb_table_print(out, t, look);
	return 0;
}
