/*
 * Does the stand-in do what a GPU does, for two processes, of which one is
 * stopped, faults or dies? Run by `device`.
 */

#include <errno.h>
#include <sys/resource.h>

#include "confine/confine.h"
#include "fake-cuda/selftest.h"

#define FEW_FILES 32

static void run_gated(const struct worker *w)
{
	kb_cu_result result = open_worker(w);
	kb_cu_handle handle;
	kb_cu_address p;
	int fd = receive_fd(w);

	if (result) {
		say(w, result);
		return;
	}
	check_int(cu->MemImportFromShareableHandle(
			  &handle, (void *)(intptr_t)fd, KB_CU_HANDLE_FD), 0);
	close(fd);
	p = map_handle(handle, PAGE);
	check_int(cu->MemRelease(handle), 0);
	check_int(queue_gate(w), 0);
	check_int(launch_scale(p + MIB, p, 4, 0, NULL), 0);
	check_int(queue_done(w), 0);
	say(w, 0);
	check_int(cu->CtxSynchronize(), 0);
	say(w, 0);
}

static void a_stopped_process_has_its_work_done(void)
{
	const float in[] = { 1, 2, 3, 4 };
	float out[4] = { 0 };
	kb_cu_stream stream;
	kb_cu_handle handle;
	kb_cu_address p;
	struct worker w;
	int fd, said;

	worker_start(&w, run_gated);
	check_int(open_device(), 0);
	check_int(cu->StreamCreate(&stream, KB_CU_STREAM_NON_BLOCKING), 0);
	check_int(cu->MemCreate(&handle, PAGE, &prop, 0), 0);
	check_int(cu->MemExportToShareableHandle(&fd, handle, KB_CU_HANDLE_FD,
						 0), 0);
	p = map_handle(handle, PAGE);
	check(send_fd(&w, fd));
	close(fd);
	said = hear(&w);
	if (said == FAKE_NOT_SUPPORTED)
		tap_skip("a process may not look into another");
	if (said)
		return;

	stop(&w);
	check_int(cu->MemcpyHtoDAsync(p, in, sizeof(in), stream), 0);
	check_int(cu->MemcpyDtoHAsync(out, p + MIB, sizeof(out), stream), 0);
	check(out[0] == 0);
	check_int(w.words->done, 0);
	open_gate(&w);
	check(await(&w.words->done, 1));
	check_int(cu->MemcpyDtoHAsync(out, p + MIB, sizeof(out), stream), 0);
	check(out[0] == 3 && out[3] == 9);
	check(is_silent(&w));

	check_int(kill(w.pid, SIGCONT), 0);
	check_int(hear(&w), 0);
	check_ends_well(&w);
}
TEST_ALONE(a_stopped_process_has_its_work_done);

/* As a worker does, beside which others of its user have on their way all the
 * descriptors that they may have. */
static void run_importing(const struct worker *w)
{
	const struct rlimit few = { FEW_FILES, FEW_FILES };
	kb_cu_handle handle;
	int fd = receive_fd(w);

	check_int(open_device(), 0);
	check_int(setrlimit(RLIMIT_NOFILE, &few), 0);
	if (!geteuid())
		check_int(setresuid(KB_WORKER_UID, KB_WORKER_UID,
				    KB_WORKER_UID), 0);
	for (int i = 0; i <= FEW_FILES; i++)
		(void)send_fd(w, fd);
	check(!send_fd(w, fd));
	check_int(errno, ETOOMANYREFS);
	check_int(cu->MemImportFromShareableHandle(
			  &handle, (void *)(intptr_t)fd, KB_CU_HANDLE_FD), 0);
}

static void descriptors_on_their_way_are_in_nobodys_way(void)
{
	kb_cu_handle handle;
	struct worker w;
	int fd;

	worker_start(&w, run_importing);
	check_int(open_device(), 0);
	check_int(cu->MemCreate(&handle, PAGE, &prop, 0), 0);
	check_int(cu->MemExportToShareableHandle(&fd, handle, KB_CU_HANDLE_FD,
						 0), 0);
	check(send_fd(&w, fd));
	close(fd);
	check_ends_well(&w);
}
TEST_ALONE(descriptors_on_their_way_are_in_nobodys_way);

/* What cannot be queued before the gate opens. */
static void check_waits_for_the_gate(void (*run)(const struct worker *))
{
	struct worker w;
	int said;

	worker_start(&w, run);
	said = hear(&w);
	if (said == FAKE_NOT_SUPPORTED)
		tap_skip("a process may not look into another");
	if (said)
		return;
	check(is_silent(&w));
	open_gate(&w);
	check_int(hear(&w), 0);
	check_ends_well(&w);
}

static void run_synchronizing(const struct worker *w)
{
	kb_cu_result result = open_worker(w);

	if (!result)
		result = queue_gate(w);
	say(w, result);
	say(w, cu->CtxSynchronize());
}

static void synchronizing_waits_for_the_gate(void)
{
	check_waits_for_the_gate(run_synchronizing);
}
TEST_ALONE(synchronizing_waits_for_the_gate);

static void run_many(const struct worker *w)
{
	kb_cu_result result = open_worker(w);

	if (!result)
		result = queue_gate(w);
	say(w, result);
	for (int i = 0; i < 1500 && !result; i++)
		result = queue_done(w);
	say(w, result);
}

static void a_full_queue_waits_for_the_gate(void)
{
	check_waits_for_the_gate(run_many);
}
TEST_ALONE(a_full_queue_waits_for_the_gate);

static void run_faulting(const struct worker *w)
{
	const struct test_none none = { 0 };
	kb_cu_address p;

	check_int(open_device(), 0);
	p = new_words();
	check_int(launch("test_fault", &none, NULL), 0);
	check_int(cu->CtxSynchronize(), FAKE_ILLEGAL_ADDRESS);
	check_int(cu->StreamWriteValue32(NULL, p, 1, 0), FAKE_ILLEGAL_ADDRESS);
	check_int(cu->MemAlloc(&p, 64), FAKE_ILLEGAL_ADDRESS);
	say(w, 0);
}

static void a_fault_stays_in_its_process(void)
{
	struct worker w;

	worker_start(&w, run_faulting);
	check_int(open_device(), 0);
	check_int(hear(&w), 0);
	(void)new_words();
	check_ends_well(&w);
}
TEST_ALONE(a_fault_stays_in_its_process);

static void run_hanging(const struct worker *w)
{
	const struct test_none none = { 0 };

	check_int(open_device(), 0);
	check_int(launch("test_hang", &none, NULL), 0);
	say(w, 0);
	say(w, cu->CtxSynchronize());
}

static void killing_ends_a_kernel_that_hangs(void)
{
	struct worker w;

	worker_start(&w, run_hanging);
	check_int(open_device(), 0);
	check_int(hear(&w), 0);
	check(is_silent(&w));
	check_int(kill(w.pid, SIGKILL), 0);
	check_int(waitpid(w.pid, NULL, 0), w.pid);
	(void)new_words();
}
TEST_ALONE(killing_ends_a_kernel_that_hangs);

TAP_MAIN(TAP(test_a_stopped_process_has_its_work_done),
	 TAP(test_descriptors_on_their_way_are_in_nobodys_way),
	 TAP(test_synchronizing_waits_for_the_gate),
	 TAP(test_a_full_queue_waits_for_the_gate),
	 TAP(test_a_fault_stays_in_its_process),
	 TAP(test_killing_ends_a_kernel_that_hangs));
