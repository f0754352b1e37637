/*
 * replay FILE|DIRECTORY...: a fuzz target without a fuzzer.
 *
 * Gives the target each file as it is, cut short at every length, or at a
 * thousand of them if it is long, and with single bytes changed: always the
 * same ones, so that what fails today fails tomorrow. A tar is read by blocks,
 * and cut at each and a byte before and after. Files that a fuzzer
 * found, `found-...`, are given as they are and no more: they are many, and
 * each is itself a change of another. One TAP line a file. A finding is a
 * crash; on the way down the input that caused it is named. Exit status 1
 * means that there was nothing to replay.
 */

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/tarball.h"

#define FILE_MAX_BYTES (16 * 1024 * 1024)
#define MUTATIONS_PER_FILE 1024

/* Of what is longer than this not every length is tried, but about 1024. */
#define CUT_EVERYWHERE_BYTES (8 * 1024)
#define CUTS_OF_LONG 1024

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Only there in a sanitized build. */
void __sanitizer_set_death_callback(void (*callback)(void))
	__attribute__((weak));

/* What the target is looking at, for the crash handlers. */
static char current[1024];

static void name_current(void)
{
	ssize_t ignored = write(STDERR_FILENO, current, strlen(current));

	(void)ignored;
}

static void on_signal(int sig)
{
	name_current();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_for_crashes(void)
{
	/* A sanitizer has handlers of its own for all but the first. */
	signal(SIGABRT, on_signal);
	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(name_current);
		return;
	}
	signal(SIGSEGV, on_signal);
	signal(SIGBUS, on_signal);
	signal(SIGFPE, on_signal);
}

/*
 * In memory of exactly its size, none included, so that a sanitizer sees a
 * read beyond it: kb_xmalloc() would make it one byte.
 */
static void run_target(const char *data, size_t size)
{
	kb_auto(mem) uint8_t *copy = malloc(size);

	if (size > 0)
		memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
}

static void run_cut(const char *path, const struct kb_buf *b, size_t size)
{
	snprintf(current, sizeof(current),
		 "# while replaying %s, cut to %zu bytes\n", path, size);
	run_target(b->data, size);
}

static bool is_tar(const struct kb_buf *b)
{
	const struct tar_header *first = (const struct tar_header *)b->data;

	return b->len >= sizeof(*first) && !memcmp(first->magic, "ustar", 5);
}

static bool is_at_a_block(size_t size)
{
	const size_t part = size % TAR_BLOCK_BYTES;

	return part <= 1 || part == TAR_BLOCK_BYTES - 1;
}

static void run_truncated(const char *path, const struct kb_buf *b)
{
	const bool tar = is_tar(b);
	const size_t step = !tar && b->len > CUT_EVERYWHERE_BYTES ?
				    b->len / CUTS_OF_LONG : 1;

	for (size_t size = 0; size < b->len; size += step)
		if (!tar || is_at_a_block(size))
			run_cut(path, b, size);
}

/* splitmix64: the next of a fixed sequence. */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void run_mutated(const char *path, struct kb_buf *b)
{
	uint64_t state = b->len;

	for (int i = 0; b->len > 0 && i < MUTATIONS_PER_FILE; i++) {
		size_t at = draw(&state) % b->len;
		char was = b->data[at];

		b->data[at] = (char)draw(&state);
		snprintf(current, sizeof(current),
			 "# while replaying %s, byte %zu made 0x%02x\n", path,
			 at, (unsigned char)b->data[at]);
		run_target(b->data, b->len);
		b->data[at] = was;
	}
}

static bool is_found(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strncmp(slash ? slash + 1 : path, "found-", strlen("found-"));
}

static int replay_file(const char *path, size_t *count, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;
	int ret;

	ret = kb_file_read(&b, AT_FDCWD, path, FILE_MAX_BYTES, err);
	if (ret < 0)
		return ret;

	snprintf(current, sizeof(current), "# while replaying %s\n", path);
	run_target(b.data, b.len);
	if (!is_found(path)) {
		run_truncated(path, &b);
		run_mutated(path, &b);
	}
	printf("ok %zu - %s\n", ++*count, path);
	fflush(stdout);
	return 0;
}

static int not_hidden(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int replay_directory(const char *path, size_t *count,
			    struct kb_err *err)
{
	struct dirent **entries;
	int n = scandir(path, &entries, not_hidden, alphasort);
	int ret = 0;

	if (n < 0)
		return kb_err_sys(err, "cannot read '%s'", path);
	for (int i = 0; i < n; i++) {
		kb_auto(mem) char *file =
			kb_xasprintf("%s/%s", path, entries[i]->d_name);

		if (ret == 0)
			ret = replay_file(file, count, err);
		free(entries[i]);
	}
	free(entries);
	return ret;
}

static int replay(const char *path, size_t *count, struct kb_err *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (S_ISDIR(st.st_mode))
		return replay_directory(path, count, err);
	return replay_file(path, count, err);
}

int main(int argc, char *argv[])
{
	struct kb_err err = KB_ERR_INIT;
	size_t count = 0;

	watch_for_crashes();
	for (int i = 1; i < argc; i++) {
		if (replay(argv[i], &count, &err) < 0) {
			printf("Bail out! %s\n", err.msg);
			return 1;
		}
	}
	printf("1..%zu\n", count);
	return count == 0;
}
