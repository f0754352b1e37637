#include "worker/kernels.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/record.h"

static int make_report(int *fd, struct kb_err *err)
{
	*fd = memfd_create("kb-kernels", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, sizeof(struct kb_kernels_report)) < 0)
		return kb_err_sys(err, "cannot make a memory file");
	return 0;
}

/* Printable ASCII, whatever it was; it need not end with a NUL. NULL for what is
 * empty. */
static char *take_text(const char *text, size_t size)
{
	char *copy;

	if (!text[0])
		return NULL;
	copy = kb_xstrndup(text, strnlen(text, size - 1));
	for (char *p = copy; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return copy;
}

static int64_t take_counter(uint64_t counter, int64_t most)
{
	return counter > (uint64_t)most ? KB_UNKNOWN : (int64_t)counter;
}

static bool take_kernel(struct kb_kernel *k, const struct kb_kernel_entry *e)
{
	k->name = take_text(e->name, sizeof(e->name));
	k->launch_count = (int64_t)e->launch_count;
	for (int c = 0; c < KB_KERNEL_COUNTER_COUNT; c++)
		k->counters[c] = take_counter(e->counters[c],
					      kb_kernel_counter_max(c));
	return k->name && e->launch_count && e->launch_count <= INT32_MAX;
}

static bool take_kernels(struct kb_kernels *k,
			 const struct kb_kernels_report *report)
{
	bool makes_sense = true;

	k->chip = take_text(report->chip, sizeof(report->chip));
	k->cupti_version = report->cupti_version;
	k->pass_count = report->pass_count;
	k->left_out_count = (int64_t)report->left_out_count;
	k->items = kb_xcalloc(report->kernel_count + (size_t)1,
			      sizeof(*k->items));
	while (k->count < report->kernel_count && makes_sense) {
		makes_sense = take_kernel(&k->items[k->count],
					  &report->kernels[k->count]);
		k->count++;
	}
	return makes_sense;
}

static bool fits_report(const struct kb_kernels_report *r)
{
	return r->version == KB_KERNELS_VERSION &&
	       r->kernel_count <= KB_KERNELS_MAX &&
	       r->cupti_version <= INT32_MAX && r->pass_count <= INT32_MAX &&
	       r->left_out_count <= INT32_MAX;
}

struct kb_kernels *kb_kernels_of_report(const struct kb_kernels_report *report)
{
	kb_auto(mem) char *why = take_text(report->why, sizeof(report->why));
	kb_auto(kernels) struct kb_kernels *k = NULL;

	if (fits_report(report) && why)
		return kb_kernels_new_unavailable(why);
	k = kb_xcalloc(1, sizeof(*k));
	if (!fits_report(report) || !take_kernels(k, report))
		return kb_kernels_new_unavailable("a report without meaning");
	return kb_steal(k);
}

int kb_kernels_ask(struct kb_kernels **out, struct kb_worker *candidate,
		   const uint8_t seed[KB_SEED_BYTES], struct kb_fault *fault,
		   struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_KERNELS, .slot_count = 1, .gate = KB_GATE_NONE,
	};
	kb_auto(mem) struct kb_kernels_report *report =
		kb_xcalloc(1, sizeof(*report));
	const int64_t run_timeout_ns = candidate->run_timeout_ns;
	kb_auto(fd) int fd = -1;
	int ret = make_report(&fd, err);

	if (ret < 0)
		return ret;
	memcpy(request.seed, seed, KB_SEED_BYTES);
	/* CUPTI is loaded and replays every kernel several times, so allow the
	 * time-out of loading. */
	candidate->run_timeout_ns = candidate->load_timeout_ns;
	candidate->end_ns = 0;
	ret = kb_worker_ask(candidate, &request, &fd, 1, fault, err);
	candidate->run_timeout_ns = run_timeout_ns;
	if (ret <= 0)
		return ret;
	/* If the worker has cut the file short the rest reads as zeros, which
	 * makes no sense. */
	if (pread(fd, report, sizeof(*report), 0) < 0)
		return kb_err_sys(err, "cannot read what kernels did");
	*out = kb_kernels_of_report(report);
	return 1;
}
