#include "crew/headers.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/left.h"
#include "store/kept.h"
#include "worker/building.h"
#include "worker/launch.h"

static const char text[] = "import kb_torch_headers\n\nkb_torch_headers.make()\n";

void kb_headers_source(struct kb_source *out)
{
	*out = (struct kb_source){
		.runtime = KB_RUNTIME_TORCH, .data = text,
		.len = strlen(text),
	};
}

int kb_headers_unpack(const struct kb_kept *k, const char *dir,
		      struct kb_err *err)
{
	static const char *const files[] = { KB_HEADERS_FILES };
	kb_auto(fd) int fd = -1;
	int ret;

	if (mkdir(dir, 0700) < 0)
		return kb_err_sys(err, "cannot make directory '%s'", dir);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", dir);
	ret = kb_left_put(k, fd, false, err);
	/* Builds have links to them, which are no builds' to write. */
	for (size_t i = 0; i < KB_ARRAY_LEN(files) && ret >= 0; i++)
		if (fchmodat(fd, files[i], 0444, 0) < 0)
			ret = kb_err_sys(err, "cannot change '%s/%s'", dir,
					 files[i]);
	return ret;
}
