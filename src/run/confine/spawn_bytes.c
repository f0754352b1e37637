#include "confine/spawn_bytes.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

/* In place of a length or a count: there is no such thing, which is NULL. */
#define NONE UINT64_MAX

/* --- to bytes ---------------------------------------------------------- */

static void put_number(struct kb_buf *out, uint64_t n)
{
	kb_buf_add(out, &n, sizeof(n));
}

/* With the NUL at its end, so that it can be used where it is. */
static void put_text(struct kb_buf *out, const char *text)
{
	put_number(out, text ? strlen(text) : NONE);
	if (text)
		kb_buf_add(out, text, strlen(text) + 1);
}

static void put_list(struct kb_buf *out, const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	put_number(out, list ? n : NONE);
	for (size_t i = 0; i < n; i++)
		put_text(out, list[i]);
}

static void put_root(struct kb_buf *out, const struct kb_root *r)
{
	put_number(out, r ? r->count : NONE);
	for (size_t i = 0; r && i < r->count; i++) {
		put_number(out, r->entries[i].kind);
		put_text(out, r->entries[i].path);
		put_text(out, r->entries[i].target);
	}
}

static void put_files(struct kb_buf *out, const struct kb_files *f)
{
	put_text(out, f->scratch);
	put_number(out, f->work_bytes);
	put_number(out, f->work_files);
	put_text(out, f->tmp ? f->tmp->root : NULL);
	put_text(out, f->tmp ? f->tmp->code : NULL);
	put_list(out, f->tmp ? f->tmp->kept : NULL);
	put_root(out, f->root);
	put_list(out, f->hidden);
}

void kb_spawn_to_bytes(struct kb_buf *out, const struct kb_spawn *s)
{
	put_list(out, s->argv);
	put_list(out, s->env);
	put_files(out, &s->files);
	put_number(out, s->prints_directly);
	put_number(out, s->other_user);
	put_number(out, s->unconfined);
	put_number(out, s->loopback);
	put_number(out, s->limits.address_bytes);
	put_number(out, s->limits.memory_bytes);
	put_number(out, s->limits.file_bytes);
	put_number(out, s->limits.processes);
	put_number(out, s->limits.files);
	put_number(out, (uint64_t)(int64_t)s->limits.niceness);
}

/* --- from bytes -------------------------------------------------------- */

struct reader {
	const char *at, *end;
	bool bad;			/* nothing more is read */
};

static uint64_t take_number(struct reader *r)
{
	uint64_t n;

	if (r->bad || (size_t)(r->end - r->at) < sizeof(n)) {
		r->bad = true;
		return 0;
	}
	memcpy(&n, r->at, sizeof(n));
	r->at += sizeof(n);
	return n;
}

static const char *take_text(struct reader *r)
{
	const uint64_t len = take_number(r);
	const char *text = r->at;

	if (r->bad || len == NONE)
		return NULL;
	if (len >= (uint64_t)(r->end - r->at) || strnlen(text, len + 1) != len) {
		r->bad = true;
		return NULL;
	}
	r->at += len + 1;
	return text;
}

/* How many follow, each of which begins with a number. */
static size_t take_count(struct reader *r, bool *is_there)
{
	const uint64_t n = take_number(r);

	*is_there = n != NONE && !r->bad;
	if (*is_there && n > (uint64_t)(r->end - r->at) / sizeof(n))
		r->bad = true;
	return *is_there && !r->bad ? n : 0;
}

static const char *const *take_list(struct reader *r, const char ***list)
{
	bool is_there;
	const size_t n = take_count(r, &is_there);

	if (!is_there)
		return NULL;
	*list = kb_xcalloc(n + 1, sizeof(**list));
	for (size_t i = 0; i < n; i++) {
		(*list)[i] = take_text(r);
		if (!(*list)[i])
			r->bad = true;
	}
	return *list;
}

static void take_entry(struct reader *r, struct kb_root_entry *e)
{
	const uint64_t kind = take_number(r);
	const char *path = take_text(r), *target = take_text(r);

	if (kind > KB_ROOT_NODE || !path || (kind == KB_ROOT_LINK && !target))
		r->bad = true;
	*e = (struct kb_root_entry){
		.kind = (enum kb_root_kind)kind,
		.path = (char *)(uintptr_t)path,
		.target = (char *)(uintptr_t)target,
	};
}

static const struct kb_root *take_root(struct reader *r, struct kb_root *root)
{
	bool is_there;
	const size_t n = take_count(r, &is_there);

	if (!is_there)
		return NULL;
	root->entries = kb_xcalloc(n, sizeof(*root->entries));
	root->count = n;
	for (size_t i = 0; i < n; i++)
		take_entry(r, &root->entries[i]);
	return root;
}

static void take_files(struct reader *r, struct kb_spawned *out)
{
	struct kb_files *f = &out->spawn.files;

	f->scratch = take_text(r);
	f->work_bytes = take_number(r);
	f->work_files = take_number(r);
	out->tmp.root = take_text(r);
	out->tmp.code = take_text(r);
	out->tmp.kept = take_list(r, &out->lists[0]);
	f->tmp = out->tmp.root ? &out->tmp : NULL;
	f->root = take_root(r, &out->root);
	f->hidden = take_list(r, &out->lists[1]);
	if (!f->scratch ||
	    (f->tmp && (!out->tmp.code || !out->tmp.kept)))
		r->bad = true;
}

int kb_spawned_from_bytes(struct kb_spawned *out, const char *bytes, size_t len)
{
	struct reader r = { .at = bytes, .end = bytes + len };
	struct kb_spawn *s = &out->spawn;

	*out = (struct kb_spawned)KB_SPAWNED_INIT;
	*s = (struct kb_spawn){
		.program_fd = -1, .channel_fd = -1, .log_fd = -1, .group_fd = -1,
	};
	s->argv = take_list(&r, &out->lists[2]);
	s->env = take_list(&r, &out->lists[3]);
	take_files(&r, out);
	s->prints_directly = take_number(&r);
	s->other_user = take_number(&r);
	s->unconfined = take_number(&r);
	s->loopback = take_number(&r);
	s->limits.address_bytes = take_number(&r);
	s->limits.memory_bytes = take_number(&r);
	s->limits.file_bytes = take_number(&r);
	s->limits.processes = take_number(&r);
	s->limits.files = take_number(&r);
	s->limits.niceness = (int)(int64_t)take_number(&r);
	if (!s->argv || !s->argv[0] || !s->env || r.at != r.end)
		r.bad = true;
	return r.bad ? EINVAL : 0;
}

void kb_spawned_release(struct kb_spawned *s)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(s->lists); i++)
		free(s->lists[i]);
	free(s->root.entries);
	*s = (struct kb_spawned)KB_SPAWNED_INIT;
}
