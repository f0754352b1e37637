#include "device/cuda_internal.h"
#include "gpu/u-on-gpu.h"
#include "lib/tap.h"

/* Several CUDA devices that begin and end together. One device stands for each. */

static void test_a_group_runs_and_is_closed(void)
{
	static const int ordinals[] = { 0, 0 };
	struct kb_cuda *group;
	int64_t elapsed_ns = -1;

	if (!have_gpu())
		return;
	must(kb_cuda_open_group(&group, ordinals, 2, &err), &err);
	must(kb_cuda_chain_prepare(group, &(struct kb_cuda_chain_plan){
					.copies = NULL }, &err), &err);
	must(kb_cuda_chain_submit(group, NULL, 0, &err), &err);
	must(kb_cuda_mark_submit(group, true, &err), &err);
	kb_cuda_mark_begin(group);
	must(kb_cuda_mark_await(group, &err), &err);
	kb_cuda_mark_release(group);
	must(kb_cuda_mark_time(group, &elapsed_ns, &err), &err);
	check(elapsed_ns >= 0);
	kb_cuda_close(group);
}

/* Of the first device: was a kernel that holds it enqueued last, and how often did
 * its stream wait behind another. */
static const struct kb_cuda *first;
static bool is_held;
static int waits, waits_not_held;

static kb_cu_result note_launch(kb_cu_function f, unsigned grid_x,
				unsigned grid_y, unsigned grid_z,
				unsigned block_x, unsigned block_y,
				unsigned block_z, unsigned shared_bytes,
				kb_cu_stream stream, void **arguments,
				void **extra)
{
	is_held = f == first->kernels[KB_CUDA_HOLD];
	return kb_cuda_api(&err)->LaunchKernel(f, grid_x, grid_y, grid_z,
					       block_x, block_y, block_z,
					       shared_bytes, stream, arguments,
					       extra);
}

static kb_cu_result note_wait(kb_cu_stream stream, kb_cu_address address,
			      uint32_t value, unsigned flags)
{
	waits++;
	waits_not_held += !is_held;
	is_held = false;
	return kb_cuda_api(&err)->StreamWaitValue32(stream, address, value,
						    flags);
}

/* While a chain waits for other devices, nobody else gets the first. */
static void test_the_first_of_a_group_is_held_while_it_waits(void)
{
	static const int ordinals[] = { 0, 0, 0 };
	struct kb_cuda_api api;
	struct kb_cuda *group;

	if (!have_gpu())
		return;
	must(kb_cuda_open_group(&group, ordinals, 3, &err), &err);
	must(kb_cuda_chain_prepare(group, &(struct kb_cuda_chain_plan){
					.copies = NULL }, &err), &err);
	first = group;
	api = *group->api;
	api.LaunchKernel = note_launch;
	api.StreamWaitValue32 = note_wait;
	group->api = &api;
	must(kb_cuda_chain_submit(group, NULL, 0, &err), &err);
	group->api = kb_cuda_api(&err);
	check_int(waits, 4);
	check_int(waits_not_held, 0);
	kb_cuda_close(group);
}

TAP_MAIN(
	TAP(test_a_group_runs_and_is_closed),
	TAP(test_the_first_of_a_group_is_held_while_it_waits)
);
