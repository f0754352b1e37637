#include "confine/log.h"

#include <fcntl.h>
#include <inttypes.h>
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

int kb_log_open(int *out, size_t limit_bytes, struct kb_err *err)
{
	kb_auto(fd) int fd = memfd_create("kb-log",
					  MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, (off_t)limit_bytes) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot make a log of %zu bytes",
				  limit_bytes);

	*out = fd;
	fd = -1;
	return 0;
}

/* The file's offset, which all of its descriptors share, is the count of bytes that
 * were printed. The first half of the file has the first of them; the rest go
 * round in the second half. */
struct layout {
	size_t size, half;
	uint64_t printed;
};

static struct layout layout_of(int fd)
{
	const off_t printed = lseek(fd, 0, SEEK_CUR);
	struct stat st;
	struct layout l = { .size = 0 };

	if (fstat(fd, &st) < 0 || printed < 0)
		return l;
	l.size = (size_t)st.st_size;
	l.half = l.size / 2;
	l.printed = (uint64_t)printed;
	return l;
}

/* Where byte number `n` is; `*run` receives how many of the next `len` are behind
 * it. */
static off_t place_of(const struct layout *l, uint64_t n, size_t len,
		      size_t *run)
{
	const size_t ring = l->size - l->half;
	const size_t at = n < l->half ? (size_t)n :
		l->half + (size_t)((n - l->half) % ring);
	const size_t end = n < l->half ? l->half : l->size;

	*run = len < end - at ? len : end - at;
	return (off_t)at;
}

static bool starts_with(const char *line, const char *end, const char *word)
{
	return (size_t)(end - line) >= strlen(word) &&
	       !memcmp(line, word, strlen(word));
}

/* A frame of a Python traceback that is of our programs, in a directory that was
 * left out or where they are installed, or of what imports there: no fault of the
 * code is in it. */
static bool is_own_frame(const char *line, const char *end)
{
	static const char file[] = "  File \"", installed[] = "/libexec/kb/";
	const char *path = line + strlen(file), *name = path;

	if (!starts_with(line, end, file))
		return false;
	for (const char *p = path; p < end && *p != '"' && *p != '\n'; p++)
		if (starts_with(p, end, installed))
			name = p + strlen(installed);
	return starts_with(name, end, "kb_torch") ||
	       starts_with(path, end, "<frozen importlib.");
}

/* Lines of a frame behind its first: the source, and marks below it. */
static bool is_of_frame(const char *line, const char *end)
{
	return starts_with(line, end, "    ");
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

void kb_log_add(int fd, const char *data, size_t len)
{
	const struct layout l = layout_of(fd);
	size_t done = 0, run;

	while (l.size && done < len) {
		const off_t at = place_of(&l, l.printed + done, len - done,
					  &run);

		if (pwrite(fd, data + done, run, at) != (ssize_t)run)
			return;
		done += run;
	}
	(void)lseek(fd, (off_t)(l.printed + done), SEEK_SET);
}

/* Bytes `from` to `from` + `len` - 1 of those that were printed. */
static void read_part(struct kb_buf *out, int fd, const struct layout *l,
		      uint64_t from, size_t len)
{
	kb_auto(buf) struct kb_buf clean = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char part[2 * KB_LOG_KEPT_BYTES];
	size_t done = 0, run;

	while (done < len) {
		const off_t at = place_of(l, from + done, len - done, &run);

		if (pread(fd, part + done, run, at) != (ssize_t)run)
			break;
		done += run;
	}
	kb_utf8_clean(&clean, part, done);
	kb_scratch_cut_paths(&text, clean.data, clean.len);
	add_without_own_frames(out, text.data, text.len);
}

void kb_log_read(struct kb_buf *out, int fd, bool *truncated)
{
	const struct layout l = layout_of(fd);
	const size_t kept = l.half < KB_LOG_KEPT_BYTES ? l.half
						       : KB_LOG_KEPT_BYTES;

	*truncated = l.printed > 2 * kept;
	if (!*truncated) {
		read_part(out, fd, &l, 0, (size_t)l.printed);
		return;
	}
	read_part(out, fd, &l, 0, kept);
	kb_buf_addf(out, "\n[%" PRIu64 " bytes left out]\n",
		    l.printed - 2 * kept);
	read_part(out, fd, &l, l.printed - kept, kept);
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
