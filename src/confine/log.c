#include "confine/log.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/calls.h"
#include "confine/scratch.h"
#include "json/utf8.h"

#define PAGE_BYTES 4096

int kb_log_open(int *out, size_t limit_bytes, struct kb_err *err)
{
	/* Whole pages: the last write that fits ends exactly at the limit. */
	size_t size = (limit_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	kb_auto(fd) int fd = memfd_create("kb-log",
					  MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, (off_t)size) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot make a log of %zu bytes", size);

	*out = fd;
	fd = -1;
	return 0;
}

/* The worker's descriptors share our file offset, which tells how much it
 * printed. It may also move the offset: it is the worker's own log. */
static size_t printed_bytes(int fd, size_t *size)
{
	struct stat st;
	off_t pos = lseek(fd, 0, SEEK_CUR);

	*size = fstat(fd, &st) < 0 ? 0 : (size_t)st.st_size;
	if (pos < 0)
		return 0;
	return (size_t)pos < *size ? (size_t)pos : *size;
}

bool kb_log_full(int fd)
{
	size_t size;

	return printed_bytes(fd, &size) == size;
}

static bool starts(const char *line, const char *end, const char *word)
{
	return (size_t)(end - line) >= strlen(word) &&
	       !memcmp(line, word, strlen(word));
}

/* A frame of a Python traceback that is of our programs, or of what imports
 * there: no fault of the code is in it. */
static bool is_own_frame(const char *line, const char *end)
{
	return starts(line, end, "  File \"kb_torch") ||
	       starts(line, end, "  File \"<frozen importlib.");
}

/* Lines of a frame behind its first: the source, and marks below it. */
static bool is_of_frame(const char *line, const char *end)
{
	return starts(line, end, "    ");
}

static void add_without_own_frames(struct kb_buf *out, const char *text,
				   size_t len)
{
	const char *const end = text + len;
	bool cut = false;

	for (const char *line = text, *next; line < end; line = next) {
		const char *feed = memchr(line, '\n', (size_t)(end - line));

		next = feed ? feed + 1 : end;
		cut = is_own_frame(line, end) || (cut && is_of_frame(line, end));
		if (!cut)
			kb_buf_add(out, line, (size_t)(next - line));
	}
}

static void read_part(struct kb_buf *out, int fd, size_t from, size_t len)
{
	kb_auto(buf) struct kb_buf clean = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char part[2 * KB_LOG_KEPT_BYTES];
	ssize_t n = pread(fd, part, len, (off_t)from);

	if (n <= 0)
		return;
	kb_utf8_clean(&clean, part, (size_t)n);
	kb_scratch_cut_paths(&text, clean.data, clean.len);
	add_without_own_frames(out, text.data, text.len);
}

void kb_log_read(struct kb_buf *out, int fd, bool *truncated)
{
	size_t size, len = printed_bytes(fd, &size);

	*truncated = len > 2 * KB_LOG_KEPT_BYTES;
	if (!*truncated) {
		read_part(out, fd, 0, len);
		return;
	}
	read_part(out, fd, 0, KB_LOG_KEPT_BYTES);
	kb_buf_addf(out, "\n[%zu bytes left out]\n",
		    len - 2 * KB_LOG_KEPT_BYTES);
	read_part(out, fd, len - KB_LOG_KEPT_BYTES, KB_LOG_KEPT_BYTES);
}

void kb_log_refused(struct kb_buf *out, const struct kb_calls *refused)
{
	const char *before = out->len && out->data[out->len - 1] != '\n' ? "\n"
									 : "";
	const char *start = "[system calls refused: ";
	bool any = false;

	for (uint32_t n = 0; n < KB_CALL_NUMBERS; n++) {
		const char *name = kb_call_name(n);

		if (!kb_calls_has(refused, n))
			continue;
		kb_buf_addf(out, "%s%s", any ? "" : before, any ? ", " : start);
		if (name)
			kb_buf_addstr(out, name);
		else
			kb_buf_addf(out, "number %u", n);
		any = true;
	}
	if (any)
		kb_buf_addstr(out, "]\n");
}
