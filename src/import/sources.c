#include "import/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "manifest/suite.h"
#include "store/quote.h"

#define FORMS "'level1/19_Name' nor 'level_1_problem_19_sample_0_kernel'"

static void release_source(struct kb_source_file *s)
{
	free(s->name);
	free(s->origin);
	free(s->data);
	*s = (struct kb_source_file){ .name = NULL };
}

void kb_passed_over_release(struct kb_passed_over *p)
{
	for (size_t i = 0; i < p->count; i++)
		free(p->items[i]);
	free(p->items);
	*p = (struct kb_passed_over)KB_PASSED_OVER_INIT;
}

void kb_sources_release(struct kb_sources *s)
{
	for (size_t i = 0; i < s->count; i++)
		release_source(&s->items[i]);
	free(s->items);
	kb_passed_over_release(&s->passed_over);
	*s = (struct kb_sources)KB_SOURCES_INIT;
}

int kb_sources_add(struct kb_sources *s, struct kb_source_file *item,
		   struct kb_err *err)
{
	if (s->count == KB_SOURCES_MAX) {
		int ret = kb_err(err, KB_ERR_INPUT,
				 "'%s' is one too many: the limit is %d files",
				 item->origin, KB_SOURCES_MAX);

		release_source(item);
		return ret;
	}
	s->items = kb_grow(s->items, s->count, &s->capacity,
			   sizeof(*s->items));
	s->items[s->count++] = *item;
	*item = (struct kb_source_file){ .name = NULL };
	return 0;
}

int kb_sources_add_text(struct kb_sources *s, struct kb_source_file *item,
			const char *text, struct kb_err *err)
{
	item->size_bytes = strlen(text);
	if (item->size_bytes > KB_SOURCE_BYTES_MAX) {
		int ret = kb_err(err, KB_ERR_INPUT,
				 "'%s' is larger than %zu bytes", item->origin,
				 KB_SOURCE_BYTES_MAX);

		release_source(item);
		return ret;
	}
	item->data = kb_xstrdup(text);
	return kb_sources_add(s, item, err);
}

static void pass_over(struct kb_sources *s, const char *path, const char *why)
{
	struct kb_passed_over *p = &s->passed_over;

	p->items = kb_grow(p->items, p->count, &p->capacity,
			   sizeof(*p->items));
	p->items[p->count++] = kb_xasprintf("'%s' %s", kb_quote_str(path).text,
					    why);
}

void kb_sources_pass_over_file(struct kb_sources *s, const char *path)
{
	pass_over(s, path, "is named neither " FORMS);
}

void kb_sources_pass_over_folder(struct kb_sources *s, const char *path)
{
	pass_over(s, path, "is a folder that is not named 'level<L>'");
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* An empty folder is most often one of files that are named otherwise: the
 * first of them says how. */
int kb_sources_check_any(const struct kb_sources *s, const char *what,
			 const char *path, struct kb_err *err)
{
	if (s->count)
		return 0;
	if (s->passed_over.count)
		return kb_err(err, KB_ERR_INPUT, "'%s' holds no %s: %s", path,
			      what, s->passed_over.items[0]);
	return kb_err(err, KB_ERR_INPUT, "'%s' holds no %s", path, what);
}

static int compare(const void *pa, const void *pb)
{
	const struct kb_source_file *a = pa, *b = pb;

	return kb_sample_compare(a->key, a->sample_id, b->key, b->sample_id);
}

/* A folder has no order of its own. */
int kb_sources_sort(struct kb_sources *s, struct kb_err *err)
{
	if (s->passed_over.count)
		qsort(s->passed_over.items, s->passed_over.count,
		      sizeof(*s->passed_over.items), compare_texts);
	if (s->count)
		qsort(s->items, s->count, sizeof(*s->items), compare);
	for (size_t i = 1; i < s->count; i++) {
		const struct kb_source_file *a = &s->items[i - 1], *b = a + 1;

		if (compare(a, b) == 0)
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' and '%s' are both sample %d of problem %d/%d",
				      a->origin, b->origin, a->sample_id,
				      a->key.level, a->key.problem_id);
	}
	return 0;
}

/* A text of known length that is eaten from its front. */
struct span {
	const char *p, *end;
};

static bool eat(struct span *s, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(s->end - s->p) < len || memcmp(s->p, word, len))
		return false;
	s->p += len;
	return true;
}

/* No sign, no leading zero: a number has one spelling. */
static bool eat_number(struct span *s, int *out, int min, int max)
{
	const char *start = s->p;
	int n = 0;

	for (; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++) {
		n = 10 * n + (*s->p - '0');
		if (n > max)
			return false;
	}
	if (s->p == start || n < min || (*start == '0' && s->p - start > 1))
		return false;
	*out = n;
	return true;
}

static bool eat_level(struct span *s, struct kb_key *key)
{
	return eat_number(s, &key->level, 1, KB_LEVEL_MAX);
}

static bool eat_problem(struct span *s, struct kb_key *key)
{
	return eat_number(s, &key->problem_id, 1, KB_PROBLEM_ID_MAX);
}

static bool eat_stem(struct span *s, struct kb_key *key, int *sample_id)
{
	return eat(s, "level_") && eat_level(s, key) &&
	       eat(s, "_problem_") && eat_problem(s, key) &&
	       eat(s, "_sample_") &&
	       eat_number(s, sample_id, 0, KB_SAMPLE_ID_MAX);
}

int kb_source_stem_parse(struct kb_key *key, int *sample_id, const char *stem,
			 size_t len, struct kb_err *err)
{
	struct span s = { stem, stem + len };

	if (!eat_stem(&s, key, sample_id) || s.p != s.end)
		return kb_err(err, KB_ERR_INPUT,
			      "'%.*s' is not of the form 'level_1_problem_19_sample_0'",
			      (int)(len < 200 ? len : 200), stem);
	return 0;
}

/* The folder's name, which ends where the file's begins: "level1/". */
static bool parse_level(const char *path, const char *base, struct kb_key *key)
{
	const char *start;
	struct span s;

	if (base == path)
		return false;
	for (start = base - 1; start > path && start[-1] != '/'; start--)
		;
	s = (struct span){ start, base };
	return eat(&s, "level") && eat_level(&s, key) && eat(&s, "/") &&
	       s.p == s.end;
}

static bool parse_problem(struct kb_source_file *out, const char *path,
			  const char *base, size_t stem_len)
{
	struct span s = { base, base + stem_len };
	char *name;

	if (!parse_level(path, base, &out->key) ||
	    !eat_problem(&s, &out->key))
		return false;
	name = kb_xstrndup(base, stem_len);
	if (kb_problem_name_check(name, out->key, NULL) < 0) {
		free(name);
		return false;
	}
	out->name = name;
	out->sample_id = 0;
	return true;
}

/* A name of ours begins with the problem's number. */
static bool parse_board(struct kb_source_file *out, const char *base,
			size_t stem_len)
{
	struct span s = { base, base + stem_len };

	if (!eat(&s, "l") || !eat_level(&s, &out->key) || !eat(&s, "_p") ||
	    !eat_problem(&s, &out->key) || s.p != s.end)
		return false;
	out->name = kb_xasprintf("%d_%.*s", out->key.problem_id, (int)stem_len,
				 base);
	out->sample_id = 0;
	return true;
}

/* Forms are tried one after the other: KernelBench's runs, folders of levels,
 * and the leaderboard's. None is the beginning of another, so that the order
 * decides nothing. */
int kb_source_name_parse(struct kb_source_file *out, const char *path,
			 struct kb_err *err)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t stem_len;
	struct span s;

	out->runtime = kb_runtime_of_file(base, &stem_len);
	if (out->runtime == KB_RUNTIME_COUNT)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is not a .py, .c or .cu file",
			      path);

	s = (struct span){ base, base + stem_len };
	if (eat_stem(&s, &out->key, &out->sample_id) && eat(&s, "_kernel") &&
	    s.p == s.end)
		return 0;
	if (parse_problem(out, path, base, stem_len) ||
	    parse_board(out, base, stem_len))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "'%s' is named neither " FORMS,
		      path);
}
