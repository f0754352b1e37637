#include "cmd/list_store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

int kb_names_print(struct kb_buf *out, const char *store,
		   const struct kb_digest *id, struct kb_err *err)
{
	kb_auto(refs) struct kb_refs names = KB_REFS_INIT;
	const char *separator = "";
	const int ret = kb_refs_list(&names, store, err);

	for (size_t i = 0; i < names.count && ret >= 0; i++) {
		struct kb_digest named;

		/* A name that cannot be read stands for nothing. */
		if (kb_ref_get(&named, store, names.items[i], NULL) != 1 ||
		    !kb_digest_equal(&named, id))
			continue;
		kb_buf_addf(out, "%s%s", separator, names.items[i]);
		separator = " ";
	}
	return ret < 0 ? ret : 0;
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

static int compare(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->written_ns != b->written_ns)
		return a->written_ns < b->written_ns ? -1 : 1;
	return memcmp(&a->id, &b->id, sizeof(a->id));
}

static int add_row(struct kb_table *t, const struct row *r, const char *store,
		   struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	const int ret = kb_names_print(&names, store, &r->id, err);

	if (ret < 0)
		return ret;
	kb_digest_format(&r->id, hex);
	kb_table_addf(t, "%.*s", LISTED_DIGITS, hex);
	kb_table_add(t, r->kind < KB_KIND_COUNT ? kb_kind_name(r->kind) : "-");
	kb_table_add(t, names.data);
	kb_table_add(t, r->about.data);
	return 0;
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
	qsort(rows->items, rows->count, sizeof(*rows->items), compare);
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
	int ret = load_rows(&rows, store, err);

	for (size_t i = 0; i < rows.count && ret == 0; i++)
		ret = add_row(t, &rows.items[i], store, err);
	if (ret == 0)
		kb_table_print(out, t, look);
	return ret;
}
