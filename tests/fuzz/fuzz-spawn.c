/* Any bytes as what to start: what is taken is whole, and is taken again from what
 * it is written as. */

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "confine/private_tmp.h"
#include "confine/root.h"
#include "confine/spawn_bytes.h"
#include "fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where all texts have to be. */
struct range {
	const char *bytes;
	size_t len;
};

static void must_be_text(const char *text, const struct range *in)
{
	must(text >= in->bytes && text < in->bytes + in->len);
	must(memchr(text, '\0', in->len - (size_t)(text - in->bytes)));
}

static void must_be_texts(const char *const *list, const struct range *in)
{
	for (; list && *list; list++)
		must_be_text(*list, in);
}

static void must_be_files(const struct kb_files *f, const struct range *in)
{
	must_be_text(f->scratch, in);
	must_be_texts(f->hidden, in);
	if (f->tmp) {
		must_be_text(f->tmp->root, in);
		must_be_text(f->tmp->code, in);
		must(f->tmp->kept);
		must_be_texts(f->tmp->kept, in);
	}
	for (size_t i = 0; f->root && i < f->root->count; i++) {
		const struct kb_root_entry *e = &f->root->entries[i];

		must_be_text(e->path, in);
		must(e->target || e->kind != KB_ROOT_LINK);
		if (e->target)
			must_be_text(e->target, in);
	}
}

static void must_be_whole(const struct kb_spawn *s, const char *bytes,
			  size_t len)
{
	const struct range in = { bytes, len };

	must(s->argv && s->argv[0] && s->env);
	must_be_texts(s->argv, &in);
	must_be_texts(s->env, &in);
	must_be_files(&s->files, &in);
	must(s->program_fd == -1 && s->channel_fd == -1 && s->log_fd == -1 &&
	     s->group_fd == -1 && !s->server && !s->fill);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf once = KB_BUF_INIT, twice = KB_BUF_INIT;
	struct kb_spawned a = KB_SPAWNED_INIT, b = KB_SPAWNED_INIT;

	if (!kb_spawned_from_bytes(&a, (const char *)data, size)) {
		must_be_whole(&a.spawn, (const char *)data, size);
		kb_spawn_to_bytes(&once, &a.spawn);
		must(!kb_spawned_from_bytes(&b, once.data, once.len));
		must_be_whole(&b.spawn, once.data, once.len);
		kb_spawn_to_bytes(&twice, &b.spawn);
		must(once.len == twice.len &&
		     !memcmp(once.data, twice.data, once.len));
	}
	kb_spawned_release(&a);
	kb_spawned_release(&b);
	return 0;
}
