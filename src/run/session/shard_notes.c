#include "session/shard_notes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "json/json.h"
#include "store/digest.h"
#include "store/journal.h"

/* As --shard allows; other files may be called anything. */
#define SHARDS_MAX 10000

/* More than these of one shard tell no more. */
#define DIFFERENCES_MAX 4

static const char prefix[] = ".journal-";
#define PREFIX_LEN (sizeof(prefix) - 1)
#define NAME_LEN (PREFIX_LEN + KB_DIGEST_HEX_SIZE - 1)

struct shard {
	unsigned index, count;		/* the index from 1 */
};

/* Parse the name of a journal in a store. */
static bool parse_name(struct shard *s, const char *name)
{
	int end = 0;

	if (strncmp(name, prefix, PREFIX_LEN) || strlen(name) <= NAME_LEN)
		return false;
	return sscanf(name + NAME_LEN, "-%u-of-%u%n", &s->index, &s->count,
		      &end) == 2 && !name[NAME_LEN + (size_t)end] &&
	       s->index >= 1 && s->index <= s->count && s->count <= SHARDS_MAX;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* --- those of this run ------------------------------------------------ */

static bool has_shard(const struct kb_journal *j, struct shard want)
{
	for (size_t i = 0; i < j->shard_count; i++) {
		struct shard s;

		if (parse_name(&s, base_of(j->shards[i].path)) &&
		    s.index == want.index && s.count == want.count)
			return true;
	}
	return false;
}

/* Is it the first of those that are of so many? */
static bool is_first(const struct kb_journal *j, size_t at, unsigned count)
{
	for (size_t i = 0; i < at; i++) {
		struct shard s;

		if (parse_name(&s, base_of(j->shards[i].path)) &&
		    s.count == count)
			return false;
	}
	return true;
}

static void note_absent(struct kb_shard_notes *n, const struct kb_journal *j)
{
	for (size_t i = 0; i < j->shard_count; i++) {
		struct shard s;

		if (!parse_name(&s, base_of(j->shards[i].path)) ||
		    !is_first(j, i, s.count))
			continue;
		for (s.index = 1; s.index <= s.count; s.index++) {
			if (has_shard(j, s))
				continue;
			n->absent++;
			kb_buf_addf(&n->text, "shard %u/%u is not here\n",
				    s.index, s.count);
		}
	}
}

/* --- those of another run --------------------------------------------- */

/* Journals in a store are of any runs. One of the same stage over the same
 * parents was most likely meant for this run, and has something that makes it
 * another: that is worth telling. */
static bool is_like(const struct kb_json *a, const struct kb_json *b)
{
	static const char *const members[] = { "kind", "parents", "mode" };

	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++)
		if (!kb_json_equal(kb_json_find(a, members[i]),
				   kb_json_find(b, members[i])))
			return false;
	return true;
}

static void print_value(struct kb_buf *out, const struct kb_json *v)
{
	if (v)
		kb_json_print(out, v);
	else
		kb_buf_addstr(out, "nothing");
}

static void add_difference(struct kb_buf *out, size_t *count, const char *group,
			   const char *member, const struct kb_json *there,
			   const struct kb_json *here)
{
	if (++*count > DIFFERENCES_MAX)
		return;
	kb_buf_addf(out, "%s%s.%s (", *count > 1 ? ", " : "", group, member);
	print_value(out, there);
	kb_buf_addstr(out, ", here ");
	print_value(out, here);
	kb_buf_addch(out, ')');
}

static void add_differences(struct kb_buf *out, size_t *count,
			    const char *group, const struct kb_json *there,
			    const struct kb_json *here)
{
	for (const struct kb_json *v = kb_json_first(there); v;
	     v = kb_json_next(v)) {
		const struct kb_json *ours = kb_json_find(here, kb_json_key(v));

		if (!kb_json_equal(v, ours))
			add_difference(out, count, group, kb_json_key(v), v,
				       ours);
	}
	for (const struct kb_json *v = kb_json_first(here); v;
	     v = kb_json_next(v))
		if (!kb_json_find(there, kb_json_key(v)))
			add_difference(out, count, group, kb_json_key(v), NULL,
				       v);
}

static void note_different(struct kb_shard_notes *n, const char *name,
			   struct shard s, const struct kb_json *there,
			   const struct kb_json *here)
{
	static const char *const groups[] = {
		"tool", "policy", "match_key", "versions",
	};
	size_t count = 0;

	n->different++;
	kb_buf_addf(&n->text, "shard %u/%u in '%s' is of another run: ",
		    s.index, s.count, name);
	if (!kb_json_equal(kb_json_find(there, "problems"),
			   kb_json_find(here, "problems"))) {
		count++;
		kb_buf_addstr(&n->text, "other problems");
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(groups); i++)
		add_differences(&n->text, &count, groups[i],
				kb_json_find(there, groups[i]),
				kb_json_find(here, groups[i]));
	if (count > DIFFERENCES_MAX)
		kb_buf_addf(&n->text, ", and %zu more",
			    count - DIFFERENCES_MAX);
	kb_buf_addch(&n->text, '\n');
}

static void look_at(struct kb_shard_notes *n, const char *store,
		    const char *name, const struct kb_journal *j,
		    const struct kb_json *identity)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", store, name);
	kb_auto(json) struct kb_json *there = NULL;
	struct shard s;

	if (!parse_name(&s, name) || !strncmp(name, base_of(j->path), NAME_LEN))
		return;
	there = kb_journal_identity(path);
	if (there && is_like(there, identity))
		note_different(n, name, s, there, identity);
}

int kb_shard_notes_take(struct kb_shard_notes *n, const char *store,
			const struct kb_journal *j,
			const struct kb_json *identity, struct kb_err *err)
{
	kb_auto(names) char **names = NULL;
	kb_auto(fd) int fd = -1;
	int ret;

	note_absent(n, j);
	/* A run that is whole has no use for what others have left. */
	if (j->shard_count && !n->absent)
		return 0;
	fd = open(store, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", store);
	ret = kb_dir_names(&names, fd, store, err);
	for (char **name = names; ret == 0 && *name; name++)
		look_at(n, store, *name, j, identity);
	return ret;
}
