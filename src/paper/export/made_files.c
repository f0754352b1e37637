#include "export/made_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/output.h"

void kb_made_files_release(struct kb_made_files *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->items[i].path);
		kb_buf_release(&f->items[i].text);
	}
	free(f->items);
	*f = (struct kb_made_files)KB_MADE_FILES_INIT;
}

struct kb_buf *kb_made_files_add(struct kb_made_files *f, char *path)
{
	f->items = kb_grow(f->items, f->count, &f->capacity, sizeof(*f->items));
	f->items[f->count] = (struct kb_made_file){
		.path = path, .text = KB_BUF_INIT,
	};
	return &f->items[f->count++].text;
}

static int write_file(const struct kb_made_file *f, struct kb_err *err)
{
	const char *slash = strrchr(f->path, '/');
	kb_auto(mem) char *folder = NULL;
	int ret = 0;

	if (slash && slash > f->path) {
		folder = kb_xstrndup(f->path, (size_t)(slash - f->path));
		ret = kb_dir_make(folder, err);
	}
	return ret < 0 ? ret
		       : kb_output_write(f->path, f->text.data, f->text.len, err);
}

int kb_made_files_write(struct kb_made_files *f, const char *output,
			struct kb_err *err)
{
	for (size_t i = 0; i < f->count; i++) {
		struct kb_made_file *item = &f->items[i];
		char *path = item->path ?
				     kb_xasprintf("%s/%s", output, item->path) :
				     kb_xstrdup(output);
		int ret;

		free(item->path);
		item->path = path;
		ret = write_file(item, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}
