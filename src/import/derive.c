#include "import/derive.h"

#include <fcntl.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "import/open.h"
#include "manifest/suite.h"
#include "store/bundle.h"

/* A suite and what it is derived from. */
struct derivation {
	struct kb_bundle bundle;	/* the parent's */
	struct kb_suite parent;
	struct kb_suite suite;
};

#define DERIVATION_INIT { .bundle = KB_BUNDLE_INIT,			\
			  .parent = KB_SUITE_INIT, .suite = KB_SUITE_INIT }

static void kb_cleanup_derivation(struct derivation *d)
{
	kb_suite_release(&d->suite);
	kb_suite_release(&d->parent);
	kb_bundle_release(&d->bundle);
}

static int open_parent(struct derivation *d, const struct kb_derive *what,
		       struct kb_err *err)
{
	int ret = kb_suite_open_or_pack(&d->bundle, &d->parent, what->store,
					what->suite, err);

	if (ret < 0)
		return kb_err_wrap(err, "suite '%s'", what->suite);
	if (kb_suite_is_derived(&d->parent))
		return kb_err(err, KB_ERR_INPUT,
			      "suite '%s' is derived by sizes itself",
			      what->suite);
	d->suite.parent = d->bundle.id;
	return 0;
}

static int read_sizes(struct derivation *d, const char *file,
		      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	int ret = kb_file_read(&buf, AT_FDCWD, file, KB_SIZES_FILE_BYTES_MAX,
			       err);

	if (ret < 0)
		return ret;
	return kb_sizes_parse(&d->suite.sizes, buf.data, buf.len, file, err);
}

/* The base name of a file without its extension. */
static char *stem_of(const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file;
	const char *dot = strrchr(base, '.');

	return dot && dot > base ? kb_xstrndup(base, (size_t)(dot - base))
				 : kb_xstrdup(base);
}

static char *copy_or_null(const char *text)
{
	return text ? kb_xstrdup(text) : NULL;
}

static void label(struct derivation *d, const struct kb_derive *what)
{
	d->suite.name = what->name ? kb_xstrdup(what->name)
				   : stem_of(what->sizes_file);
	d->suite.version = copy_or_null(d->parent.version);
	d->suite.upstream_commit = copy_or_null(d->parent.upstream_commit);
}

static int check_changed(const struct kb_size *sizes, size_t count,
			 struct kb_err *err)
{
	for (size_t i = 0; i < count; i++)
		if (sizes[i].before != sizes[i].after)
			return 0;
	return kb_err(err, KB_ERR_INPUT, "has these sizes already");
}

/* Its file at the new sizes. */
static int change_file(struct kb_buf *file, struct derivation *d,
		       const struct kb_problem *of, struct kb_err *err)
{
	size_t count;
	struct kb_size *sizes = kb_sizes_find(&d->suite.sizes, of->key, &count);
	int ret;

	if (of->runtime != KB_RUNTIME_TORCH)
		return kb_err(err, KB_ERR_INPUT,
			      "is not in Python, and has sizes of its own");
	ret = kb_bundle_read(file, &d->bundle, of->file, KB_PROBLEM_BYTES_MAX,
			     err);
	if (ret == 0)
		ret = kb_sizes_apply(file, sizes, count, err);
	if (ret == 0 && file->len > KB_PROBLEM_BYTES_MAX)
		ret = kb_err(err, KB_ERR_INPUT,
			     "is then larger than %zu bytes",
			     KB_PROBLEM_BYTES_MAX);
	return ret < 0 ? ret : check_changed(sizes, count, err);
}

static int add_problem(struct kb_bundle_writer *w, struct derivation *d,
		       const struct kb_problem *of, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf file = KB_BUF_INIT;
	struct kb_problem *p = &d->suite.problems[d->suite.problem_count++];
	int ret;

	*p = (struct kb_problem){
		.key = of->key, .name = kb_xstrdup(of->name),
		.file = kb_xstrdup(of->file), .runtime = of->runtime,
	};
	ret = change_file(&file, d, of, err);
	if (ret < 0)
		return kb_err_wrap(err, "problem %d/%d", of->key.level,
				   of->key.problem_id);
	kb_digest_of(&p->digest, file.data, file.len);
	p->size_bytes = file.len;
	return kb_bundle_writer_add(w, p->file, file.data, file.len, err);
}

/* Sizes are sorted by problem. */
static int add_problems(struct kb_bundle_writer *w, struct derivation *d,
			struct kb_err *err)
{
	const struct kb_sizes *sizes = &d->suite.sizes;

	d->suite.problems = kb_xcalloc(sizes->count,
				       sizeof(*d->suite.problems));
	for (size_t i = 0; i < sizes->count; i++) {
		const struct kb_key key = sizes->items[i].key;
		const struct kb_problem *of;
		int ret;

		if (i && !kb_key_compare(sizes->items[i - 1].key, key))
			continue;
		of = kb_suite_find(&d->parent, key);
		if (!of)
			return kb_err(err, KB_ERR_INPUT,
				      "suite '%s' has no problem %d/%d",
				      d->parent.name, key.level,
				      key.problem_id);
		ret = add_problem(w, d, of, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int kb_suite_derive(const struct kb_derive *what, struct kb_digest *id,
		    struct kb_err *err)
{
	kb_auto(derivation) struct derivation d = DERIVATION_INIT;
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = read_sizes(&d, what->sizes_file, err);

	if (ret == 0)
		ret = open_parent(&d, what, err);
	if (ret < 0)
		return ret;
	label(&d, what);
	ret = kb_bundle_writer_new(&w, what->store, err);
	if (ret == 0)
		ret = add_problems(w, &d, err);
	if (ret < 0)
		return kb_err_wrap(err, "%s", what->sizes_file);
	kb_sizes_drop_unchanged(&d.suite.sizes);
	ret = kb_record_write(w, kb_suite_to_json(&d.suite), err);
	return ret < 0 ? ret : kb_bundle_writer_commit(w, id, err);
}
