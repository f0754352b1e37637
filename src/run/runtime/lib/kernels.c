/* The kernels of a call, counted by CUPTI: see kbrt_kernels_begin(). What is
 * counted is known by its place in the order of launches. */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"
#include "runtime/lib/kernel_sums.h"
#include "runtime/lib/launches.h"
#include "runtime/lib/range_counters.h"

struct kbrt_kernels {
	int report_fd;
	kb_cu_context context;
	struct kbrt_range_counters *counters;
	struct kbrt_launches *launches;
	struct kbrt_kernel_sums sums;
};

static int add_ranges(struct kbrt_kernels *k, size_t count, struct kb_err *err)
{
	const char **names = kb_xcalloc(count + 1, sizeof(*names));
	double values[KB_KERNEL_COUNTER_COUNT];
	int ret = 0;

	(void)kbrt_launches_name(names, count, k->launches);
	for (size_t i = 0; i < count && ret >= 0; i++) {
		ret = kbrt_range_counters_read(values, k->counters, i, err);
		if (ret >= 0)
			kbrt_kernel_sums_add(&k->sums, names[i], values);
	}
	free(names);
	return ret;
}

static int take_counters(struct kbrt_kernels *k, struct kb_err *err)
{
	size_t count, dropped;
	int ret = kbrt_range_counters_fetch(k->counters, &count, &dropped, err);

	if (ret < 0)
		return ret;
	k->sums.report.left_out_count = dropped;
	ret = add_ranges(k, count, err);
	kbrt_kernel_sums_end(&k->sums);
	return ret;
}

static int publish_report(struct kbrt_kernels *k, const struct kb_err *why,
			  struct kb_err *err)
{
	struct kb_kernels_report *r = &k->sums.report;

	r->version = KB_KERNELS_VERSION;
	if (why) {
		r->kernel_count = 0;
		snprintf(r->why, sizeof(r->why), "%s", why->msg);
	}
	if (pwrite(k->report_fd, r, sizeof(*r), 0) != sizeof(*r))
		return kb_err_sys(err, "cannot write what was counted");
	return 0;
}

static struct kbrt_kernels *kernels_new(struct kbrt *rt)
{
	struct kbrt_kernels *k = kb_xcalloc(1, sizeof(*k));

	k->report_fd = kbrt_fd_take(rt);
	k->context = kbrt_cuda_context(rt);
	return k;
}

static int begin_kernels(struct kbrt_kernels *k, struct kb_err *why)
{
	int ret = kbrt_range_counters_open(&k->counters, k->context,
					   &k->sums.report, why);

	if (ret < 0)
		return ret;
	k->launches = kbrt_launches_watch(
		kbrt_range_counters_cupti(k->counters), k->context);
	return kbrt_range_counters_start(k->counters, why);
}

static int end_kernels(struct kbrt_kernels *k, struct kb_err *why)
{
	int ret = kbrt_range_counters_stop(k->counters, why);

	return ret < 0 ? ret : take_counters(k, why);
}

int kbrt_kernels_begin(struct kbrt *rt, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	int ret;

	rt->kernels = kernels_new(rt);
	ret = begin_kernels(rt->kernels, &why);
	if (ret >= 0)
		return 1;
	ret = publish_report(rt->kernels, &why, err);
	kbrt_kernels_drop(rt);
	return ret;
}

int kbrt_kernels_end(struct kbrt *rt, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	int ret = end_kernels(rt->kernels, &why);

	ret = publish_report(rt->kernels, ret < 0 ? &why : NULL, err);
	kbrt_kernels_drop(rt);
	return ret;
}

void kbrt_kernels_drop(struct kbrt *rt)
{
	struct kbrt_kernels *k = rt->kernels;

	rt->kernels = NULL;
	if (!k)
		return;
	kbrt_launches_free(k->launches);
	kbrt_range_counters_close(k->counters);
	close(k->report_fd);
	free(k);
}
