#include "import/derive.h"

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
			      "suite '%s' is derived itself", what->suite);
	d->suite.parent = d->bundle.id;
	return 0;
}

static int read_sizes(struct derivation *d, const char *file,
		      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	int ret = kb_file_read_named(&buf, file, KB_SIZES_FILE_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	return kb_sizes_parse(&d->suite.sizes, buf.data, buf.len, file, err);
}

static int read_left_out(struct derivation *d, const char *file,
			 struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	int ret = kb_file_read_named(&buf, file, KB_LEFT_OUT_FILE_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	return kb_backward_parse(&d->suite.backward, buf.data, buf.len, file,
				 err);
}

static int read_files(struct derivation *d, const struct kb_derive *what,
		      struct kb_err *err)
{
	int ret = what->sizes_file ? read_sizes(d, what->sizes_file, err) : 0;

	d->suite.backward.is_set = what->is_backward;
	if (ret == 0 && what->left_out_file)
		ret = read_left_out(d, what->left_out_file, err);
	return ret;
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

static char *name_of(const struct derivation *d, const struct kb_derive *what)
{
	kb_auto(mem) char *base = what->sizes_file ?
		stem_of(what->sizes_file) : kb_xstrdup(d->parent.name);

	return kb_xasprintf("%s%s", base,
			    what->is_backward ? "-backward" : "");
}

static void label_suite(struct derivation *d, const struct kb_derive *what)
{
	d->suite.name = what->name ? kb_xstrdup(what->name)
				   : name_of(d, what);
	d->suite.version = kb_xstrdup(d->parent.version);
	d->suite.upstream_commit = kb_xstrdup(d->parent.upstream_commit);
	d->suite.conventions = d->parent.conventions;
	d->suite.world = d->parent.world;
}

static int take_modules(struct kb_bundle_writer *w, struct derivation *d,
			struct kb_err *err)
{
	int ret = 0;

	d->suite.modules = kb_xcalloc(d->parent.module_count,
				      sizeof(*d->suite.modules));
	for (size_t i = 0; i < d->parent.module_count && ret == 0; i++) {
		const struct kb_suite_module *m = &d->parent.modules[i];

		d->suite.modules[d->suite.module_count++] =
			(struct kb_suite_module){
				.file = kb_xstrdup(m->file),
				.digest = m->digest,
				.size_bytes = m->size_bytes,
			};
		ret = kb_bundle_writer_add(w, m->file, m->data, m->size_bytes,
					   err);
	}
	return ret;
}

/* Gradients are of other outputs than those that a remedy was chosen for. */
static void take_remedies(struct derivation *d)
{
	for (size_t i = 0; i < d->suite.problem_count; i++) {
		struct kb_problem *p = &d->suite.problems[i];
		const struct kb_remedies *r = kb_problem_remedies(
			kb_suite_find(&d->parent, p->key));

		if (kb_suite_derivation(&d->suite) == KB_DERIVATION_SIZES &&
		    r->count)
			kb_remedies_copy_unnamed(&p->derived_remedies, r);
	}
}

static int check_changed(const struct kb_size *sizes, size_t count,
			 struct kb_err *err)
{
	for (size_t i = 0; i < count; i++)
		if (sizes[i].before != sizes[i].after)
			return 0;
	return kb_err(err, KB_ERR_INPUT, "has these sizes already");
}

static int resize_file(struct kb_buf *file, struct derivation *d,
		       const struct kb_problem *of, struct kb_err *err)
{
	size_t count;
	struct kb_size *sizes = kb_sizes_find(&d->suite.sizes, of->key, &count);
	int ret = kb_sizes_apply(file, sizes, count, err);

	return ret < 0 ? ret : check_changed(sizes, count, err);
}

/* Its file, changed. */
static int change_file(struct kb_buf *file, struct derivation *d,
		       const struct kb_problem *of, struct kb_err *err)
{
	int ret;

	if (of->runtime != KB_RUNTIME_TORCH)
		return kb_err(err, KB_ERR_INPUT,
			      "is not in Python, and has sizes of its own");
	ret = kb_bundle_read(file, &d->bundle, of->file, KB_PROBLEM_BYTES_MAX,
			     err);
	if (ret == 0 && d->suite.sizes.count)
		ret = resize_file(file, d, of, err);
	if (ret == 0 && d->suite.backward.is_set)
		kb_backward_append(&d->suite.backward, file);
	if (ret == 0 && file->len > KB_PROBLEM_BYTES_MAX)
		ret = kb_err(err, KB_ERR_INPUT,
			     "is then larger than %zu bytes",
			     KB_PROBLEM_BYTES_MAX);
	return ret;
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

static int check_in_parent(const struct derivation *d, struct kb_key key,
			   const char *file, struct kb_err *err)
{
	if (kb_suite_find(&d->parent, key))
		return 0;
	return kb_err(err, KB_ERR_INPUT, "%s: suite '%s' has no problem %d/%d",
		      file, d->parent.name, key.level, key.problem_id);
}

static int check_files(const struct derivation *d,
		       const struct kb_derive *what, struct kb_err *err)
{
	const struct kb_backward *b = &d->suite.backward;
	int ret = 0;

	for (size_t i = 0; i < d->suite.sizes.count && ret == 0; i++)
		ret = check_in_parent(d, d->suite.sizes.items[i].key,
				      what->sizes_file, err);
	for (size_t i = 0; i < b->count && ret == 0; i++)
		ret = check_in_parent(d, b->left_out[i].key,
				      what->left_out_file, err);
	return ret;
}

/* With sizes, what they do not name is not in the suite anyway. */
static void leave_out(struct derivation *d, bool has_sizes)
{
	struct kb_backward *b = &d->suite.backward;

	for (size_t i = 0; i < b->count; i++)
		kb_sizes_drop(&d->suite.sizes, b->left_out[i].key);
	for (size_t i = 0; i < d->parent.problem_count; i++) {
		const struct kb_problem *p = &d->parent.problems[i];

		if (b->is_set && !has_sizes &&
		    p->runtime != KB_RUNTIME_TORCH &&
		    !kb_backward_find(b, p->key))
			kb_backward_leave_out(b, p->key, "it is not in Python");
	}
}

static bool is_in(const struct derivation *d, struct kb_key key,
		  bool has_sizes)
{
	if (has_sizes && !kb_sizes_find(&d->suite.sizes, key, NULL))
		return false;
	return !kb_backward_find(&d->suite.backward, key);
}

static int add_problems(struct kb_bundle_writer *w, struct derivation *d,
			bool has_sizes, struct kb_err *err)
{
	d->suite.problems = kb_xcalloc(d->parent.problem_count,
				       sizeof(*d->suite.problems));
	for (size_t i = 0; i < d->parent.problem_count; i++) {
		const struct kb_problem *of = &d->parent.problems[i];
		int ret = is_in(d, of->key, has_sizes) ?
			add_problem(w, d, of, err) : 0;

		if (ret < 0)
			return ret;
	}
	if (d->suite.problem_count)
		return 0;
	return kb_err(err, KB_ERR_INPUT, "all of its problems are left out");
}

/* The subject of a message: the file with the changes, if any. */
static int wrap_failure(const struct kb_derive *what, struct kb_err *err)
{
	if (what->sizes_file)
		return kb_err_wrap(err, "%s", what->sizes_file);
	return kb_err_wrap(err, "suite '%s'", what->suite);
}

static int write_derived(struct derivation *d, const struct kb_derive *what,
			 struct kb_digest *id, struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, what->store, err);

	if (ret == 0)
		ret = add_problems(w, d, what->sizes_file, err);
	if (ret == 0)
		ret = take_modules(w, d, err);
	if (ret < 0)
		return wrap_failure(what, err);
	kb_sizes_drop_unchanged(&d->suite.sizes);
	take_remedies(d);
	ret = kb_record_write(w, kb_suite_to_json(&d->suite), err);
	return ret < 0 ? ret : kb_bundle_writer_commit(w, id, err);
}

int kb_suite_derive(const struct kb_derive *what, struct kb_digest *id,
		    struct kb_backward *left_out, struct kb_err *err)
{
	kb_auto(derivation) struct derivation d = DERIVATION_INIT;
	int ret = read_files(&d, what, err);

	if (ret == 0)
		ret = open_parent(&d, what, err);
	if (ret == 0)
		ret = check_files(&d, what, err);
	if (ret == 0 && what->is_backward && d.parent.world > 1)
		ret = kb_err(err, KB_ERR_INPUT, "suite '%s' is of %d ranks, "
			     "and there are no gradients of ranks", what->suite,
			     d.parent.world);
	if (ret < 0)
		return ret;
	label_suite(&d, what);
	leave_out(&d, what->sizes_file);
	ret = write_derived(&d, what, id, err);
	*left_out = d.suite.backward;
	d.suite.backward = (struct kb_backward)KB_BACKWARD_INIT;
	return ret;
}
