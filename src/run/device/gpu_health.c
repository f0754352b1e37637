#include "device/gpu_health.h"

#include <stddef.h>

#include "base/err.h"
#include "device/nvml.h"
#include "device/nvml_internal.h"

/* NVML's numbers. */
#define GPU_IS_LOST 15
#define RESET_REQUIRED 16
#define UNCORRECTED 1
#define SINCE_THE_START 0

/* Any other return code tells nothing about the GPU's health. */
static int check_answer(const struct kb_nvml *n, const char *symbol,
			kb_nvml_result r, struct kb_err *err)
{
	if (r == GPU_IS_LOST || r == RESET_REQUIRED)
		return kb_nvml_refused(err, n, symbol, r);
	return 0;
}

static int look_at_ecc(struct kb_gpu_health *h, const struct kb_nvml *n,
		       struct kb_err *err)
{
	static const char symbol[] = "nvmlDeviceGetTotalEccErrors";
	kb_nvml_result (*count)(void *, int, int, unsigned long long *) =
		kb_nvml_symbol(n, symbol);
	unsigned long long errors = 0;
	kb_nvml_result r;

	if (!count)
		return 0;
	r = count(kb_nvml_handle(n), UNCORRECTED, SINCE_THE_START, &errors);
	if (!r)
		h->uncorrected_errors = (int64_t)(errors & INT64_MAX);
	return check_answer(n, symbol, r, err);
}

/* Since Ampere rows are replaced. */
static int look_at_rows(struct kb_gpu_health *h, const struct kb_nvml *n,
			struct kb_err *err)
{
	static const char symbol[] = "nvmlDeviceGetRemappedRows";
	kb_nvml_result (*rows)(void *, unsigned *, unsigned *, unsigned *,
			       unsigned *) = kb_nvml_symbol(n, symbol);
	unsigned corrected, uncorrected, pending = 0, failed = 0;
	kb_nvml_result r;

	if (!rows)
		return 0;
	r = rows(kb_nvml_handle(n), &corrected, &uncorrected, &pending,
		 &failed);
	if (!r) {
		h->replacement_pending = pending != 0;
		h->replacement_failed = failed != 0;
	}
	return check_answer(n, symbol, r, err);
}

/* Before that pages were. */
static int look_at_pages(struct kb_gpu_health *h, const struct kb_nvml *n,
			 struct kb_err *err)
{
	static const char symbol[] = "nvmlDeviceGetRetiredPagesPendingStatus";
	kb_nvml_result (*pages)(void *, unsigned *) = kb_nvml_symbol(n, symbol);
	unsigned pending = 0;
	kb_nvml_result r;

	if (!pages || h->replacement_pending != KB_NVML_UNKNOWN)
		return 0;
	r = pages(kb_nvml_handle(n), &pending);
	if (!r)
		h->replacement_pending = pending != 0;
	return check_answer(n, symbol, r, err);
}

static void look_at_processes(struct kb_gpu_health *h, const struct kb_nvml *n)
{
	(void)kb_nvml_dead_processes(n, &h->dead_processes, NULL);
}

int kb_gpu_health_look(struct kb_gpu_health *out, const struct kb_nvml *n,
		       struct kb_err *err)
{
	int ret;

	*out = (struct kb_gpu_health){
		KB_NVML_UNKNOWN, KB_NVML_UNKNOWN, KB_NVML_UNKNOWN,
		KB_NVML_UNKNOWN,
	};
	if (!n)
		return 0;
	look_at_processes(out, n);
	ret = look_at_ecc(out, n, err);
	if (ret >= 0)
		ret = look_at_rows(out, n, err);
	return ret < 0 ? ret : look_at_pages(out, n, err);
}

bool kb_gpu_health_may_mend(const struct kb_gpu_health *before,
			    const struct kb_gpu_health *now)
{
	return before->dead_processes != KB_NVML_UNKNOWN &&
	       now->dead_processes > before->dead_processes;
}

int kb_gpu_health_compare(const struct kb_gpu_health *before,
			  const struct kb_gpu_health *now, struct kb_err *err)
{
	const int64_t had = before->uncorrected_errors;

	if (had != KB_NVML_UNKNOWN && now->uncorrected_errors > had)
		return kb_err(err, KB_ERR_DEVICE,
			      "the GPU has gone bad: uncorrected errors of its "
			      "memory: %lld, and %lld before",
			      (long long)now->uncorrected_errors,
			      (long long)had);
	if (!before->replacement_failed && now->replacement_failed == 1)
		return kb_err(err, KB_ERR_DEVICE,
			      "the GPU has gone bad: memory that failed cannot "
			      "be replaced");
	if (!before->replacement_pending && now->replacement_pending == 1)
		return kb_err(err, KB_ERR_DEVICE,
			      "the GPU has gone bad: memory that failed waits "
			      "for a reset to be replaced");
	if (kb_gpu_health_may_mend(before, now))
		return kb_err(err, KB_ERR_DEVICE,
			      "the GPU stays occupied: processes that have "
			      "ended and are still on it: %lld, and %lld before",
			      (long long)now->dead_processes,
			      (long long)before->dead_processes);
	return 0;
}
