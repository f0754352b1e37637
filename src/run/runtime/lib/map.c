/* Shared memory, mapped or refused in words. */

#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/lib/internal.h"

int kbrt_map(void **out, int fd, uint64_t bytes, int prot, int flags,
	     const char *what, struct kb_err *err)
{
	struct stat st;
	void *p;

	if (fd < 0)
		return kb_err(err, KB_ERR_CORRUPT, "no descriptor for %s", what);
	if (fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot look at %s", what);
	if ((uint64_t)st.st_size != bytes)
		return kb_err(err, KB_ERR_CORRUPT, "%s has %lld bytes, not %llu",
			      what, (long long)st.st_size,
			      (unsigned long long)bytes);

	p = mmap(NULL, bytes, prot, flags, fd, 0);
	if (p == MAP_FAILED)
		return kb_err_sys(err, "cannot map %s", what);
	*out = p;
	return 0;
}
