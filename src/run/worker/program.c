#include "worker/program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "store/kept.h"
#include "worker/building.h"
#include "worker/prepared.h"

/* A private, sealed copy of what a build has made. */
static int seal_program(int *out, const struct kb_kept *k, struct kb_err *err)
{
	static const char name[] = "a memory file";
	const struct kb_kept_entry *e = &k->entries[0];
	kb_auto(fd) int fd = memfd_create("kb-program",
					  MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int ret;

	if (fd < 0)
		return kb_err_sys(err, "cannot make %s", name);
	ret = kb_file_write_all(fd, e->data, e->len, name, err);
	if (ret < 0)
		return ret;
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE |
		  F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot seal %s", name);
	*out = fd;
	fd = -1;
	return 1;
}

/* Now, and for this worker alone. */
static int build_program(struct kb_kept *k, struct kb_launcher *l,
			 const struct kb_source *source, struct kb_err *err)
{
	kb_auto(building) struct kb_building b = KB_BUILDING_INIT;
	int ret = kb_building_start(&b, l, source, NULL, NULL, err);

	if (ret > 0)
		ret = kb_building_wait(&b, err);
	return ret < 0 ? ret : kb_building_take(&b, k, err);
}

int kb_program_make(int *program_fd, struct kb_launcher *l,
		    const struct kb_source *source, struct kb_buf *log,
		    struct kb_fault *fault, struct kb_err *err)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	int ret = 0;

	if (!kb_prepared_find(&k, l, source))
		ret = build_program(&k, l, source, err);
	if (ret < 0)
		return ret;
	kb_buf_addstr(log, k.log);
	return kb_built_fault(fault, &k) ? 0
					 : seal_program(program_fd, &k, err);
}
