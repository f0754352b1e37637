#include "cli/progress.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"

static void add(struct kb_progress *p, enum kb_status status, size_t count)
{
	for (size_t i = 0; i < count; i++)
		kb_progress_resume(p, status);
}

static void check_sum(const struct kb_progress *p, const char *want)
{
	kb_auto(buf) struct kb_buf sum = KB_BUF_INIT;

	kb_progress_sum(&sum, p);
	check_str(sum.data ? sum.data : "", want);
}

static void begin(struct kb_progress *p, size_t total)
{
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_progress_begin(p, total, NULL, &err), 0);
	p->terminal = false;
}

static void test_a_sum_begins_with_what_went_well(void)
{
	struct kb_progress p;

	begin(&p, 100);
	check_sum(&p, "");
	add(&p, KB_STATUS_TIMED_OUT, 1);
	check_sum(&p, "timed_out 1");
	add(&p, KB_STATUS_MISMATCH, 8);
	add(&p, KB_STATUS_BUILD_FAILED, 15);
	add(&p, KB_STATUS_WRONG_SHAPE, 1);
	add(&p, KB_STATUS_CORRECT, 3);
	check_sum(&p, "correct 3, build_failed 15, mismatch 8, wrong_shape 1, "
		      "timed_out 1");
	kb_progress_timed(&p);
	kb_progress_timed(&p);
	check_sum(&p, "correct 3 (timed 2), build_failed 15, mismatch 8, "
		      "wrong_shape 1, timed_out 1");
	kb_progress_end(&p);
}

static void test_what_is_missing_says_nothing_of_the_time_left(void)
{
	struct kb_progress p;

	begin(&p, 100);
	kb_progress_device(&p, 0, "1/1 on cpu");
	for (int i = 0; i < 50; i++) {
		kb_auto(json) struct kb_json *event = kb_json_object();

		kb_progress_item(&p, KB_STATUS_MISSING, NULL, event);
	}
	check_int((int)p.done, 50);
	check_int((int)p.left.count, 0);
	kb_progress_end(&p);
}

/* What an item prints when it is done. */
static void check_item(struct kb_progress *p, enum kb_status status,
		       const char *want)
{
	kb_auto(json) struct kb_json *event = kb_json_object();
	char text[256] = "";
	int fds[2], saved;
	ssize_t len;

	check(!pipe(fds));
	saved = dup(STDERR_FILENO);
	check(dup2(fds[1], STDERR_FILENO) >= 0);
	kb_progress_item(p, status, "1/9 sample 0: correct", event);
	check(dup2(saved, STDERR_FILENO) >= 0);
	close(fds[1]);
	len = read(fds[0], text, sizeof(text) - 1);
	check(len >= 0);
	check_str(text, want);
	close(fds[0]);
	close(saved);
}

/* Of a run that was summed up `ago_ns` ago. */
static void check_said(int64_t ago_ns, size_t total, const char *want)
{
	struct kb_progress p;

	begin(&p, total);
	add(&p, KB_STATUS_MISMATCH, 2);
	p.summed_ns = kb_clock_ns() - ago_ns;
	check_item(&p, KB_STATUS_CORRECT, want);
	kb_progress_end(&p);
}

static void test_lines_are_summed_up_each_minute(void)
{
	check_said(0, 9, "[3/9] 1/9 sample 0: correct\n");
	check_said(60 * KB_NS_PER_S, 9,
		   "[3/9] 1/9 sample 0: correct\n"
		   "[3/9] so far: correct 1, mismatch 2\n");
	/* All of it follows. */
	check_said(60 * KB_NS_PER_S, 3, "[3/3] 1/9 sample 0: correct\n");
}

static void test_a_terminal_is_not_redrawn_for_what_is_missing(void)
{
	struct kb_progress p;

	begin(&p, 3);
	p.terminal = true;
	check_item(&p, KB_STATUS_CORRECT, "\r\033[K1/3  correct 1");
	check_item(&p, KB_STATUS_MISSING, "");
	check_item(&p, KB_STATUS_MISSING,
		   "\r\033[K3/3  correct 1  missing 2");
	p.terminal = false;
	kb_progress_end(&p);
}

TAP_MAIN(
	TAP(test_a_sum_begins_with_what_went_well),
	TAP(test_what_is_missing_says_nothing_of_the_time_left),
	TAP(test_lines_are_summed_up_each_minute),
	TAP(test_a_terminal_is_not_redrawn_for_what_is_missing)
);
