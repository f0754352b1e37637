#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gpu/u-on-gpu.h"
#include "random/draw.h"
#include "runtime/lib/kbrt.h"

/* What runtime/lib/kbrt.h records on a device against what it draws on the
 * CPU. The supervisor and the worker are this process. */

enum { SLOTS = 5, INPUTS = 2, DRAWN = 1003, DICE = 7, FIRST = 3 };

static const struct kb_tensor_spec specs[INPUTS] = {
	{ .dtype = KB_FLOAT32, .ndim = 1, .dims = { DRAWN } },
	{ .dtype = KB_INT64, .ndim = 1, .dims = { DICE } },
};

static struct kbrt *rt;
static int channel_fd;
static kb_cu_stream stream;
static struct kb_cuda_memory tensors[SLOTS][INPUTS];

static void ask(const struct kb_request *request, const int fds[],
		size_t count)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(8 * sizeof(int))];
	} control = { .space = { 0 } };
	struct iovec iov = {
		.iov_base = (void *)(uintptr_t)request,
		.iov_len = sizeof(*request),
	};
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (count) {
		m.msg_control = control.space;
		m.msg_controllen = CMSG_LEN(count * sizeof(int));
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(&control.align), fds, count * sizeof(int));
	}
	check_int(sendmsg(channel_fd, &m, 0), sizeof(*request));
	must(kbrt_receive(rt, &err), &err);
}

static void load(void)
{
	const struct kb_request request = {
		.op = KB_OP_LOAD, .side = KB_SIDE_REFERENCE,
	};
	int fds[] = {
		memfd_create("control", 0), memfd_create("plan", 0),
		memfd_create("state", MFD_ALLOW_SEALING),
	};

	check_int(ftruncate(fds[0], KB_CONTROL_BYTES), 0);
	ask(&request, fds, 3);
	must(kbrt_load(rt, 3, &err), &err);
	for (size_t i = 0; i < INPUTS; i++)
		must(kbrt_input_add(rt, &specs[i], &err), &err);
	must(kbrt_output_add(rt, &specs[0], &err), &err);
	must(kbrt_state_map(rt, &err), &err);
	must(kbrt_publish(rt, &err), &err);
	must(kbrt_cuda_open(rt, &err), &err);
	for (size_t i = 0; i < 3; i++)
		close(fds[i]);
}

static void map_slot(uint32_t slot)
{
	const struct kb_request request = {
		.op = KB_OP_SLOT, .first_slot = FIRST + slot,
		.slot_count = 1,
	};
	int fds[INPUTS];

	for (size_t i = 0; i < INPUTS; i++) {
		tensors[slot][i] = (struct kb_cuda_memory)KB_CUDA_MEMORY_INIT;
		must(kb_cuda_memory_new(gpu, &tensors[slot][i],
					kb_tensor_file_bytes(kb_tensor_bytes(
						&specs[i])), true, &err),
		     &err);
		fds[i] = tensors[slot][i].fd;
	}
	ask(&request, fds, INPUTS);
	must(kbrt_slot_map(rt, &err), &err);
}

/* A worker that has loaded, once; false without a device. */
static bool have_worker(void)
{
	int fds[2];

	if (!have_gpu())
		return false;
	if (!kb_cuda_built()) {
		tap_skip("this was built without the CUDA toolkit");
		return false;
	}
	if (rt)
		return true;
	check_int(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	channel_fd = fds[0];
	rt = kbrt_new(fds[1]);
	load();
	for (uint32_t i = 0; i < SLOTS; i++)
		map_slot(i);
	gpu_must(gpu_api()->StreamCreate(&stream, KB_CU_STREAM_NON_BLOCKING));
	return true;
}

static void ask_for(uint32_t slots, uint8_t seed)
{
	struct kb_request request = {
		.op = KB_OP_GENERATE, .first_slot = FIRST,
		.slot_count = slots,
	};

	memset(request.seed, seed, sizeof(request.seed));
	ask(&request, NULL, 0);
}

static void draw(uint32_t call, uint32_t i, void *data, bool on_device)
{
	int (*const function)(const struct kbrt *, void *,
			      const struct kb_tensor_spec *,
			      const struct kbrt_drawing *, struct kb_err *) =
		on_device ? kbrt_draw_on_device : kbrt_draw;
	const struct kbrt_drawing how = {
		.kind = i ? KB_DRAW_INTEGERS : KB_DRAW_NORMAL,
		.high = i ? 6 : 1, .slot = call, .draw = i + 1,
	};

	must(function(rt, data, &specs[i], &how, &err), &err);
}

static int record(uint32_t calls)
{
	const uint64_t made[] = { one.address, other.address };
	int ret;

	must(kbrt_record_begin(rt, (uintptr_t)stream, &err), &err);
	for (uint32_t call = 0; call < calls; call++)
		for (uint32_t i = 0; i < INPUTS; i++) {
			draw(call, i, (void *)(uintptr_t)made[i], true);
			must(kbrt_record_input(rt, call, i, made[i], &err),
			     &err);
		}
	ret = kbrt_record_end(rt, calls, &err);
	must(ret, &err);
	return ret;
}

static void check_slots(uint32_t slots)
{
	uint8_t want[DRAWN * 8], got[DRAWN * 8];

	for (uint32_t slot = 0; slot < slots; slot++)
		for (uint32_t i = 0; i < INPUTS; i++) {
			const uint64_t bytes = kb_tensor_bytes(&specs[i]);

			draw(slot, i, want, false);
			gpu_read(got, tensors[slot][i].address + KB_GUARD_BYTES,
				 bytes);
			check(!memcmp(got, want, bytes));
		}
}

static void test_recordings_fill_the_slots_of_any_request(void)
{
	uint32_t pair, single;

	if (!have_worker())
		return;
	pair = (uint32_t)record(2);
	single = (uint32_t)record(1);
	for (uint8_t seed = 0; seed < 3; seed++) {
		ask_for(SLOTS, seed);
		must(kbrt_replay_begin(rt, &err), &err);
		must(kbrt_replay(rt, pair, &err), &err);
		must(kbrt_replay(rt, single, &err), &err);
		must(kbrt_replay(rt, pair, &err), &err);
		must(kbrt_device_sync(rt, &err), &err);
		check_slots(SLOTS);
	}
	ask_for(1, 9);
	must(kbrt_replay_begin(rt, &err), &err);
	must(kbrt_replay(rt, single, &err), &err);
	must(kbrt_device_sync(rt, &err), &err);
	check_slots(1);
}

static void test_draws_after_a_recording_are_made_at_once(void)
{
	uint8_t want[DRAWN * 8], got[DRAWN * 8];

	if (!have_worker())
		return;
	(void)record(1);
	ask_for(1, 77);
	draw(4, 0, (void *)(uintptr_t)one.address, true);
	draw(4, 0, want, false);
	gpu_read(got, one.address, kb_tensor_bytes(&specs[0]));
	check(!memcmp(got, want, kb_tensor_bytes(&specs[0])));
}

static void test_replays_end_with_the_slots(void)
{
	struct kb_err e = KB_ERR_INIT;
	int pair;

	if (!have_worker())
		return;
	pair = record(2);
	ask_for(3, 1);
	must(kbrt_replay_begin(rt, &err), &err);
	must(kbrt_replay(rt, (uint32_t)pair, &err), &err);
	check_int(kbrt_replay(rt, (uint32_t)pair, &e), -KB_ERR_INPUT);
	check_str(e.msg, "there is no recording 3 for the 1 slots that are left");
	check_int(kbrt_replay(rt, 1000, &e), -KB_ERR_INPUT);
	check_str(e.msg, "there is no recording 1000 for the 1 slots that are "
		  "left");
}

static void test_what_cannot_be_recorded_leaves_nothing(void)
{
	struct kb_err e = KB_ERR_INIT;

	if (!have_worker())
		return;
	must(kbrt_record_begin(rt, (uintptr_t)stream, &err), &err);
	check(gpu_api()->StreamSynchronize(stream) != KB_CU_SUCCESS);
	check(kbrt_record_end(rt, 1, &e) < 0);
	kbrt_record_drop(rt);

	must(kbrt_record_begin(rt, (uintptr_t)stream, &err), &err);
	kbrt_record_drop(rt);
	kbrt_record_drop(rt);
	check_int(kbrt_record_begin(rt, 0, &e), -KB_ERR_DEVICE);
	kbrt_record_drop(rt);

	ask_for(1, 5);
	must(kbrt_replay_begin(rt, &err), &err);
	must(kbrt_replay(rt, (uint32_t)record(1), &err), &err);
	must(kbrt_device_sync(rt, &err), &err);
	check_slots(1);
}

static void test_there_is_an_end_to_recordings(void)
{
	struct kb_err e = KB_ERR_INIT;
	int last;

	if (!have_worker())
		return;
	do
		last = record(1);
	while (last < KBRT_RECORDINGS_MAX - 1);
	check_int(kbrt_record_begin(rt, (uintptr_t)stream, &e),
		  -KB_ERR_INPUT);
	check_str(e.msg, "there are 16 recordings");
	kbrt_free(rt);
	close(channel_fd);
	for (uint32_t i = 0; i < SLOTS * INPUTS; i++)
		kb_cuda_memory_free(gpu, &tensors[i / INPUTS][i % INPUTS]);
}

TAP_MAIN(
	TAP(test_recordings_fill_the_slots_of_any_request),
	TAP(test_draws_after_a_recording_are_made_at_once),
	TAP(test_replays_end_with_the_slots),
	TAP(test_what_cannot_be_recorded_leaves_nothing),
	TAP(test_there_is_an_end_to_recordings)
);
