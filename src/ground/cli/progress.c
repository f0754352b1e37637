#include "cli/progress.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/variable.h"
#include "cli/terminal.h"
#include "json/json.h"
#include "json/utf8.h"

/* How often lines for people are summed up. */
#define SUM_EVERY_NS (60 * KB_NS_PER_S)

/* A terminal that erases a line when it is told to. */
static bool is_renewable(int fd)
{
	const char *term = kb_variable("TERM");

	return isatty(fd) && term && strcmp(term, "dumb");
}

int kb_progress_begin(struct kb_progress *p, size_t total,
		      const char *events_path, struct kb_err *err)
{
	*p = (struct kb_progress){
		.total = total,
		.start_ns = kb_clock_ns(),
		.summed_ns = kb_clock_ns(),
		.terminal = is_renewable(STDERR_FILENO),
		.events_fd = -1,
		.events_path = events_path,
	};
	if (!events_path)
		return 0;
	p->events_fd = open(events_path,
			    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (p->events_fd < 0)
		return kb_err_sys(err, "cannot open '%s'", events_path);
	return 0;
}

void kb_progress_timed(struct kb_progress *p)
{
	p->timed++;
}

void kb_progress_resume(struct kb_progress *p, enum kb_status status)
{
	p->done++;
	p->resumed++;
	p->counts[status]++;
}

/* If there is room for it. Nothing is cut in two. */
static void add_part(struct kb_buf *line, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add_part(struct kb_buf *line, size_t room, const char *fmt, ...)
{
	char part[64];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(part, sizeof(part), fmt, ap);
	va_end(ap);
	if (len > 0 && line->len + 2 + (size_t)len <= room)
		kb_buf_addf(line, "%s%s", line->len ? "  " : "", part);
}

static void add_time_left(struct kb_buf *line, const struct kb_progress *p,
			  size_t room)
{
	const int64_t left_ns = kb_time_left_ns(&p->left, kb_clock_ns(),
						p->total - p->done);
	char text[KB_TIME_LEFT_SIZE];

	if (left_ns == KB_TIME_LEFT_UNKNOWN || p->done == p->total)
		return;
	kb_time_left_format(text, left_ns);
	add_part(line, room, "about %s left", text);
}

static bool went_well(int status)
{
	return status == KB_STATUS_CORRECT || status == KB_STATUS_TIMED ||
	       status == KB_STATUS_AUDITED;
}

static int compare_statuses(int a, int b, const size_t counts[KB_STATUS_COUNT])
{
	if (went_well(a) != went_well(b))
		return went_well(a) ? -1 : 1;
	if (counts[a] != counts[b])
		return counts[a] > counts[b] ? -1 : 1;
	return a - b;
}

/* The statuses that there are, in the order of kb_progress_sum(). */
static size_t list_statuses(int out[KB_STATUS_COUNT],
			    const struct kb_progress *p)
{
	size_t count = 0;

	for (int s = 0; s < KB_STATUS_COUNT; s++) {
		size_t at = count;

		if (!p->counts[s])
			continue;
		for (; at && compare_statuses(s, out[at - 1], p->counts) < 0;
		     at--)
			out[at] = out[at - 1];
		out[at] = s;
		count++;
	}
	return count;
}

static void format_status(char out[64], const struct kb_progress *p, int status)
{
	const char *name = kb_status_name((enum kb_status)status);

	if (status == KB_STATUS_CORRECT && p->timed)
		snprintf(out, 64, "%s %zu (timed %zu)", name,
			 p->counts[status], p->timed);
	else
		snprintf(out, 64, "%s %zu", name, p->counts[status]);
}

void kb_progress_sum(struct kb_buf *out, const struct kb_progress *p)
{
	int statuses[KB_STATUS_COUNT];
	const size_t count = list_statuses(statuses, p);
	char text[64];

	for (size_t i = 0; i < count; i++) {
		format_status(text, p, statuses[i]);
		kb_buf_addf(out, "%s%s", i ? ", " : "", text);
	}
}

static void add_statuses(struct kb_buf *line, const struct kb_progress *p,
			 size_t room)
{
	int statuses[KB_STATUS_COUNT];
	const size_t count = list_statuses(statuses, p);
	char text[64];

	for (size_t i = 0; i < count; i++) {
		format_status(text, p, statuses[i]);
		add_part(line, room, "%s", text);
	}
}

static void print_terminal(const struct kb_progress *p)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	/* A character in the last column makes some terminals go on to the next
	 * line. */
	const size_t room = kb_columns_of(STDERR_FILENO) - 1;

	add_part(&line, room, "%zu/%zu", p->done, p->total);
	add_time_left(&line, p, room);
	add_statuses(&line, p, room);
	for (size_t i = 0; i < p->device_count; i++)
		if (p->devices[i][0])
			add_part(&line, room, "%s", p->devices[i]);
	for (size_t i = 0; i < KB_PROGRESS_STAGES; i++)
		if (p->stage_counts[i])
			add_part(&line, room, "%s %zu", p->stages[i],
				 p->stage_counts[i]);
	/* EL of ECMA-48 erases what is left of a longer line. */
	fprintf(stderr, "\r\033[K%s", line.data);
	fflush(stderr);
}

/* A line is written at once and appended, so that who follows the file never
 * reads half a line. */
static void print_event(struct kb_progress *p, struct kb_json *event)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;

	if (p->events_fd < 0)
		return;
	kb_json_set_int(event, "done", (int64_t)p->done);
	kb_json_set_int(event, "total", (int64_t)p->total);
	kb_json_set_int(event, "elapsed_ms",
			(kb_clock_ns() - p->start_ns) / KB_NS_PER_MS);
	kb_json_print(&text, event);
	kb_buf_addch(&text, '\n');
	if (kb_file_write_all(p->events_fd, text.data, text.len,
			      p->events_path, &why) == 0)
		return;
	/* Events are for who looks on: the results do not depend on them. */
	fprintf(stderr, "warning: %s: the run goes on without events\n",
		why.msg);
	close(p->events_fd);
	p->events_fd = -1;
}

/* Words of a compiler or a candidate may be in it. */
static void print_line(const struct kb_progress *p, const char *line)
{
	kb_auto(buf) struct kb_buf clean = KB_BUF_INIT;

	kb_utf8_clean_line(&clean, line, strlen(line));
	fprintf(stderr, "[%zu/%zu] %s\n", p->done, p->total, clean.data);
}

/* Print a sum, so that readers need not count lines. */
static void sum_up(struct kb_progress *p)
{
	kb_auto(buf) struct kb_buf sum = KB_BUF_INIT;
	const int64_t now_ns = kb_clock_ns();

	if (now_ns - p->summed_ns < SUM_EVERY_NS || p->done == p->total)
		return;
	p->summed_ns = now_ns;
	kb_progress_sum(&sum, p);
	fprintf(stderr, "[%zu/%zu] so far: %s\n", p->done, p->total, sum.data);
}

void kb_progress_item(struct kb_progress *p, enum kb_status status,
		      const char *line, struct kb_json *event)
{
	p->done++;
	p->counts[status]++;
	if (status != KB_STATUS_MISSING)
		kb_time_left_add(&p->left, kb_clock_ns());
	/* Hundreds of missing ones come at once. */
	if (p->terminal &&
	    (status != KB_STATUS_MISSING || p->done == p->total))
		print_terminal(p);
	else if (!p->terminal && line)
		print_line(p, line);
	if (!p->terminal)
		sum_up(p);
	print_event(p, event);
}

void kb_progress_event(struct kb_progress *p, struct kb_json *event)
{
	if (p->terminal)
		print_terminal(p);
	print_event(p, event);
}

static size_t *count_of(struct kb_progress *p, const char *stage)
{
	size_t i = 0;

	while (p->stages[i] && strcmp(p->stages[i], stage))
		if (++i == KB_PROGRESS_STAGES)
			KB_BUG("too many stages");
	p->stages[i] = stage;
	return &p->stage_counts[i];
}

void kb_progress_move(struct kb_progress *p, const char *from, const char *to)
{
	if (from)
		--*count_of(p, from);
	if (to)
		++*count_of(p, to);
}

void kb_progress_device(struct kb_progress *p, size_t device, const char *item)
{
	if (device >= p->device_count) {
		p->devices = kb_xreallocarray(p->devices, device + 1,
					      sizeof(*p->devices));
		memset(p->devices + p->device_count, 0,
		       (device + 1 - p->device_count) * sizeof(*p->devices));
		p->device_count = device + 1;
	}
	snprintf(p->devices[device], sizeof(p->devices[device]), "%s",
		 item ? item : "");
	if (item)
		kb_time_left_begin(&p->left, kb_clock_ns());
}

void kb_progress_end(struct kb_progress *p)
{
	if (p->terminal && p->done > p->resumed)
		fputc('\n', stderr);
	if (p->events_fd >= 0)
		close(p->events_fd);
	p->events_fd = -1;
	free(p->devices);
	p->devices = NULL;
	kb_time_left_release(&p->left);
	p->device_count = 0;
}

int kb_progress_end_run(struct kb_progress *p, int ret, const char *items,
			struct kb_err *err)
{
	kb_progress_end(p);
	if (ret != -KB_ERR_INTERRUPTED)
		return ret;
	return kb_err(err, KB_ERR_INTERRUPTED,
		      "interrupted after %zu of %zu %s; the same command goes "
		      "on from there", p->done, p->total, items);
}

void kb_duration_format(char out[KB_DURATION_SIZE], int64_t ns)
{
	static const struct {
		int64_t unit_ns;
		const char *name;
	} units[] = {
		{ KB_NS_PER_S, "s" }, { KB_NS_PER_MS, "ms" }, { 1000, "us" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(units); i++) {
		const int64_t unit = units[i].unit_ns;

		if (ns < unit)
			continue;
		snprintf(out, KB_DURATION_SIZE, "%.*f %s",
			 ns < 10 * unit ? 2 : ns < 100 * unit ? 1 : 0,
			 (double)ns / (double)unit, units[i].name);
		return;
	}
	snprintf(out, KB_DURATION_SIZE, "%" PRId64 " ns", ns);
}
