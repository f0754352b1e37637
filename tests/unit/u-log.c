#include "confine/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"

static int open_log(size_t limit_bytes)
{
	struct kb_err err = KB_ERR_INIT;
	int fd = -1;

	check_int(kb_log_open(&fd, limit_bytes, &err), 0);
	check_str(err.msg, "");
	return fd;
}

/* By pieces, as they come out of a pipe. */
static void print(int fd, const char *data, size_t len)
{
	for (size_t done = 0, n; done < len; done += n) {
		n = len - done < 1000 ? len - done : 1000;
		kb_log_add(fd, data + done, n);
	}
}

static void check_reads_as(const char *text, size_t len, const char *want)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(fd) int fd = open_log(64 * 1024);
	bool truncated = true;

	print(fd, text, len);
	kb_log_read(&out, fd, &truncated);
	check(!truncated);
	check_str(out.data, want);
	check_int(out.len, strlen(want));
}

static void test_what_was_printed_is_made_harmless(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "", "" },
		{ "plain\n", "plain\n" },
		{ "\ttab\n", "\ttab\n" },
		{ "\r\n", "?\n" },
		{ "\033[31mred\033[0m", "?[31mred?[0m" },
		{ "\x07\x08\x7f", "???" },
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xc2\x9b" "31m", "?31m" },		/* a C1 control */
		{ "\xff\xfe", "??" },
		{ "\xc3", "?" },
		{ "\xc3(", "?(" },
		{ "\xc0\x80", "??" },			/* overlong NUL */
		{ "\xed\xa0\x80", "???" },		/* a surrogate */
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_reads_as(cases[i].text, strlen(cases[i].text),
			       cases[i].want);
	check_reads_as("a\0b", 3, "a?b");
}

static void test_what_no_two_runs_share_is_left_out(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "/tmp/kb-scratch-aB3dE6/4-code/code.c:1: no\n",
		  "code.c:1: no\n" },
		{ "  File \"/tmp/kb-scratch-aB3dE6/4-code/kb_torch.py\", line 8, in "
		  "run\n    f()\n    ^^^\n"
		  "  File \"<frozen importlib._bootstrap>\", line 2, in g\n"
		  "  File \"/tmp/kb-scratch-aB3dE6/4-code/candidate.py\", line 5, in "
		  "h\n    x\nNameError: x\n",
		  "  File \"candidate.py\", line 5, in h\n    x\nNameError: x\n" },
		{ "  File \"/usr/libexec/kb/kb_torch_worker.py\", line 8, in f\n"
		  "E: kb_torch\n", "E: kb_torch\n" },
		{ "  File \"/tmp/kb-scratch-aB3dE6/4-code/kb_torch.py\", line 8",
		  "" },
		{ "  File \"/usr/kb_torch.py\", line 8\n    x\n",
		  "  File \"/usr/kb_torch.py\", line 8\n    x\n" },
		{ "    four\n", "    four\n" },
	};

	check_int(unsetenv("TMPDIR"), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_reads_as(cases[i].text, strlen(cases[i].text),
			       cases[i].want);
}

static void test_every_byte_comes_out_printable(void)
{
	for (int c = 0; c < 256; c++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		kb_auto(fd) int fd = open_log(4096);
		char byte = (char)c;
		bool truncated;

		print(fd, &byte, 1);
		kb_log_read(&out, fd, &truncated);
		check_int(out.len, 1);
		check(out.data[0] == '\n' || out.data[0] == '\t' ||
		      (out.data[0] >= ' ' && out.data[0] <= '~'));
	}
}

static void test_size_cannot_be_changed(void)
{
	kb_auto(fd) int fd = open_log(4096);
	struct stat st;

	check_int(ftruncate(fd, 0), -1);
	check_int(errno, EPERM);
	check_int(ftruncate(fd, 1 << 20), -1);
	check_int(errno, EPERM);
	check_int(fstat(fd, &st), 0);
	check_int(st.st_size, 4096);
}

static void fill(int fd, size_t count)
{
	char *bytes = kb_xmalloc(count);

	for (size_t i = 0; i < count; i++)
		bytes[i] = (char)('a' + i % 26);
	print(fd, bytes, count);
	free(bytes);
}

static void test_both_ends_of_a_long_log_are_kept(void)
{
	static const struct {
		size_t printed;
		const char *between;
	} cases[] = {
		{ 2 * KB_LOG_KEPT_BYTES - 1, NULL },
		{ 2 * KB_LOG_KEPT_BYTES, NULL },
		{ 2 * KB_LOG_KEPT_BYTES + 1, "\n[1 bytes left out]\n" },
		{ 1 << 20, "\n[1032192 bytes left out]\n" },
		{ 9 << 20, "\n[9420800 bytes left out]\n" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		kb_auto(fd) int fd = open_log(2 << 20);
		const char *between = cases[i].between;
		bool truncated = !between;

		fill(fd, cases[i].printed);
		kb_log_read(&out, fd, &truncated);
		check_int(truncated, between != NULL);
		check_int(out.data[0], 'a');
		check_int(out.data[out.len - 1],
			  'a' + (int)((cases[i].printed - 1) % 26));
		if (!between) {
			check_int(out.len, cases[i].printed);
			continue;
		}
		check_int(out.len, 2 * KB_LOG_KEPT_BYTES + strlen(between));
		check(!strncmp(out.data + KB_LOG_KEPT_BYTES, between,
			       strlen(between)));
	}
}

static void test_a_small_log_has_both_ends(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(fd) int fd = open_log(4096);
	bool truncated = false;

	fill(fd, 26 * 1000);
	kb_log_read(&out, fd, &truncated);
	check(truncated);
	check_int(out.len, 4096 + strlen("\n[21904 bytes left out]\n"));
	check(!strncmp(out.data, "abc", 3));
	check_str(out.data + out.len - 3, "xyz");
}

TAP_MAIN(
	TAP(test_what_was_printed_is_made_harmless),
	TAP(test_what_no_two_runs_share_is_left_out),
	TAP(test_every_byte_comes_out_printable),
	TAP(test_size_cannot_be_changed),
	TAP(test_both_ends_of_a_long_log_are_kept),
	TAP(test_a_small_log_has_both_ends),
);
