#include "import/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
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
		free(p->items[i].text);
	free(p->items);
	*p = (struct kb_passed_over)KB_PASSED_OVER_INIT;
}

void kb_sources_release(struct kb_sources *s)
{
	for (size_t i = 0; i < s->count; i++)
		release_source(&s->items[i]);
	free(s->items);
	free(s->other);
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

static void note_passed_over(struct kb_sources *s, const char *why, bool is_emptied)
{
	struct kb_passed_over *p = &s->passed_over;

	p->items = kb_grow(p->items, p->count, &p->capacity,
			   sizeof(*p->items));
	p->items[p->count++] = (struct kb_passed_over_item){
		.text = kb_xstrdup(why), .is_emptied = is_emptied,
	};
}

int kb_sources_add_empty(struct kb_sources *s, struct kb_source_file *item,
			 const char *why, struct kb_err *err)
{
	note_passed_over(s, why, true);
	item->size_bytes = 0;
	item->data = kb_xstrdup("");
	return kb_sources_add(s, item, err);
}

int kb_sources_add_text(struct kb_sources *s, struct kb_source_file *item,
			const char *text, struct kb_err *err)
{
	item->size_bytes = strlen(text);
	if (item->size_bytes > KB_SOURCE_BYTES_MAX) {
		kb_auto(mem) char *why = kb_xasprintf(
			"'%s' is larger than %zu bytes",
			kb_quote_str(item->origin).text, KB_SOURCE_BYTES_MAX);

		return kb_sources_add_empty(s, item, why, err);
	}
	item->data = kb_xstrdup(text);
	return kb_sources_add(s, item, err);
}

void kb_sources_pass_over(struct kb_sources *s, const char *why)
{
	note_passed_over(s, why, false);
}

static void pass_over(struct kb_sources *s, const char *path, const char *why)
{
	kb_auto(mem) char *text = kb_xasprintf("'%s' %s",
					       kb_quote_str(path).text, why);

	note_passed_over(s, text, false);
}

void kb_sources_pass_over_file(struct kb_sources *s, const char *path)
{
	pass_over(s, path, "is named neither " FORMS);
}

void kb_sources_pass_over_ending(struct kb_sources *s, const char *path)
{
	pass_over(s, path, "is not a .py, .c or .cu file");
}

void kb_sources_pass_over_folder(struct kb_sources *s, const char *path)
{
	pass_over(s, path, "is a folder that is not named 'level<L>'");
}

/* A folder has no order of its own, and the first by name is kept. */
void kb_sources_see_other(struct kb_sources *s, const char *path)
{
	s->other_count++;
	if (s->other && strcmp(s->other, path) <= 0)
		return;
	free(s->other);
	s->other = kb_xstrdup(path);
}

static int compare_notes(const void *pa, const void *pb)
{
	const struct kb_passed_over_item *a = pa, *b = pb;

	if (a->is_emptied != b->is_emptied)
		return b->is_emptied - a->is_emptied;
	return strcmp(a->text, b->text);
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
			      what, s->passed_over.items[0].text);
	if (s->other)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' holds no %s: of its files, %zu, such as "
			      "'%s', none ends in .py, .c or .cu", path, what,
			      s->other_count, kb_quote_str(s->other).text);
	return kb_err(err, KB_ERR_INPUT, "'%s' holds no %s", path, what);
}

static int compare_files(const void *pa, const void *pb)
{
	const struct kb_source_file *a = pa, *b = pb;

	return kb_sample_compare(a->key, a->sample_id, b->key, b->sample_id);
}

/* A folder has no order of its own. */
int kb_sources_sort(struct kb_sources *s, struct kb_err *err)
{
	if (s->passed_over.count)
		qsort(s->passed_over.items, s->passed_over.count,
		      sizeof(*s->passed_over.items), compare_notes);
	if (s->count)
		qsort(s->items, s->count, sizeof(*s->items), compare_files);
	for (size_t i = 1; i < s->count; i++) {
		const struct kb_source_file *a = &s->items[i - 1], *b = a + 1;

		if (compare_files(a, b) == 0)
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

static bool eat_word(struct span *s, const char *word)
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
	return eat_word(s, "level_") && eat_level(s, key) &&
	       eat_word(s, "_problem_") && eat_problem(s, key) &&
	       eat_word(s, "_sample_") &&
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
static struct span folder_of(const char *path, const char *base)
{
	const char *start = base - (base > path);

	while (start > path && start[-1] != '/')
		start--;
	return (struct span){ start, base };
}

static bool parse_level(const char *path, const char *base, struct kb_key *key)
{
	struct span s = folder_of(path, base);

	return eat_word(&s, "level") && eat_level(&s, key) && eat_word(&s, "/") &&
	       s.p == s.end;
}

/* 1 if it is one; 0 if it is named otherwise; fails if it could be one but for
 * its name. */
static int parse_problem(struct kb_source_file *out, const char *path,
			 const char *base, size_t stem_len, bool is_candidate,
			 struct kb_err *err)
{
	struct span s = { base, base + stem_len };
	char *name;

	if (!parse_level(path, base, &out->key) ||
	    !eat_problem(&s, &out->key) || s.p == s.end || *s.p != '_')
		return 0;
	out->sample_id = 0;
	name = kb_xstrndup(base, stem_len);
	if (kb_problem_name_check(name, out->key, NULL) == 0) {
		out->name = name;
		return 1;
	}
	free(name);
	if (is_candidate)
		return 1;
	return kb_err(err, KB_ERR_INPUT,
		      "'%s' has a name that no problem may have: it is of A to "
		      "Z, a to z, 0 to 9, '_', '-' and '.', %d at most",
		      kb_quote_str(path).text, KB_PROBLEM_NAME_BYTES_MAX);
}

/* A name of ours begins with the problem's number. */
static bool parse_board(struct kb_source_file *out, const char *base,
			size_t stem_len)
{
	struct span s = { base, base + stem_len };

	if (!eat_word(&s, "l") || !eat_level(&s, &out->key) || !eat_word(&s, "_p") ||
	    !eat_problem(&s, &out->key) || s.p != s.end)
		return false;
	out->name = kb_xasprintf("%d_%.*s", out->key.problem_id, (int)stem_len,
				 base);
	out->sample_id = 0;
	return true;
}

/* In a folder of another name, and a problem of import/pkb.h but for its text? */
static bool is_nearly_solution(const char *path, const char *base,
			       size_t stem_len)
{
	kb_auto(mem) char *name = kb_xstrndup(base, stem_len);
	struct span folder = folder_of(path, base);
	struct span s = { base, base + stem_len };
	struct kb_key key = { .level = 1 };

	return !eat_word(&folder, "level") && eat_problem(&s, &key) &&
	       kb_problem_name_check(name, key, NULL) == 0;
}

/* Forms are tried one after the other: KernelBench's runs, folders of levels,
 * and the leaderboard's. None is the beginning of another, so that the order
 * decides nothing. */
int kb_source_name_parse(struct kb_source_file *out, const char *path,
			 bool is_candidate, struct kb_err *err)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t stem_len;
	struct span s;
	int ret;

	out->runtime = kb_runtime_of_file(base, &stem_len);
	if (out->runtime == KB_RUNTIME_COUNT)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is not a .py, .c or .cu file",
			      path);

	s = (struct span){ base, base + stem_len };
	if (eat_stem(&s, &out->key, &out->sample_id) && eat_word(&s, "_kernel") &&
	    s.p == s.end)
		return 0;
	ret = parse_problem(out, path, base, stem_len, is_candidate, err);
	if (ret < 0)
		return ret;
	if (ret || parse_board(out, base, stem_len))
		return 0;
	if (out->runtime == KB_RUNTIME_TORCH &&
	    is_nearly_solution(path, base, stem_len))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is in no folder 'level<L>', as KernelBench's "
			      "files are, nor has it a line 'def solution(', as "
			      "ParallelKernelBench's do: want one of the two",
			      path);
	return kb_err(err, KB_ERR_INPUT,
		      "'%s' is named neither " FORMS,
		      path);
}
