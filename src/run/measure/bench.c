#include "measure/bench.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hex.h"
#include "base/pause.h"
#include "measure/device_bench.h"
#include "measure/device_headroom.h"
#include "measure/host_bench.h"
#include "measure/notes.h"
#include "random/random.h"
#include "worker/fp64_error.h"

/* A memfd that a reference fills in. `bytes` is its size, 0 to let it
 * grow. */
static int make_shared(int *fd, const char *name, size_t bytes,
		       struct kb_err *err)
{
	*fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0 || (bytes && ftruncate(*fd, (off_t)bytes) < 0))
		return kb_err_sys(err, "cannot make a memory file");
	return 0;
}

/* Nobody maps it for writing from now on, and it keeps its size. */
static int seal_shared(int fd, struct kb_err *err)
{
	/* F_SEAL_WRITE fails with EBUSY while the reference still has it mapped
	 * for writing; F_SEAL_FUTURE_WRITE (Linux 5.1) leaves it that mapping
	 * and refuses new ones, as a candidate's would be (fcntl(2)). */
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
		  F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot seal a memory file");
	return 0;
}

static int read_plan(const struct kb_bench *b, struct kb_plan *plan,
		     uint32_t rank, struct kb_fault *fault, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	/* A copy, which is checked and used from now on: the reference may
	 * still have the file mapped for writing. */
	ssize_t n = pread(b->of_ranks[2 * rank], plan, sizeof(*plan), 0);

	if (n != sizeof(*plan))
		return kb_err_sys(err, "cannot read a plan");
	if (kb_plan_check(plan, &why) == 0)
		return 1;
	kb_fault_set(fault, KB_SIDE_REFERENCE, KB_STATUS_LOAD_FAILED,
		     KB_PHASE_LOAD, "%s", why.msg);
	return 0;
}

static int check_plans(struct kb_bench *b, struct kb_fault *fault,
		       struct kb_err *err)
{
	const uint32_t ranks = b->launcher->ranks;
	struct kb_plan plans[KB_RANKS_MAX];
	struct kb_err why = KB_ERR_INIT;
	int ret = 1;

	for (uint32_t i = 0; i < ranks && ret > 0; i++)
		ret = read_plan(b, &plans[i], i, fault, err);
	if (ret > 0 && kb_plan_join(&b->plan, plans, ranks, &why) < 0) {
		kb_fault_set(fault, KB_SIDE_REFERENCE, KB_STATUS_LOAD_FAILED,
			     KB_PHASE_LOAD, "%s", why.msg);
		return 0;
	}
	for (uint32_t i = 0; i < b->of_ranks_count && ret > 0; i++)
		ret = kb_err_or_1(seal_shared(b->of_ranks[i], err));
	return ret;
}

static int load_reference(struct kb_bench *b, struct kb_fault *fault,
			  struct kb_err *err)
{
	const int64_t start_ns = kb_awake_ns();
	int ret = kb_launched_load(&b->reference, b->weights_seed, b->of_ranks,
				   fault, err);

	b->load_ns = kb_awake_ns() - start_ns;
	return ret;
}

/* A plan and a state for each rank. */
static int make_all_shared(struct kb_bench *b, struct kb_err *err)
{
	const uint32_t count = 2 * b->launcher->ranks;
	int ret = 0;

	while (b->of_ranks_count < count && ret >= 0) {
		int *fd = &b->of_ranks[b->of_ranks_count];

		ret = b->of_ranks_count % 2 ?
			make_shared(fd, "kb-state", 0, err) :
			make_shared(fd, "kb-plan", sizeof(struct kb_plan), err);
		if (*fd >= 0)
			b->of_ranks_count++;
	}
	return ret;
}

static int start_reference(struct kb_bench *b, struct kb_buf *log,
			   struct kb_fault *fault, struct kb_err *err)
{
	const struct kb_launch_spec spec = {
		.problem = &b->problem, .slot_bytes = KB_NO_LIMIT,
	};
	int ret = make_all_shared(b, err);

	if (ret < 0)
		return ret;
	ret = kb_launch(&b->reference, b->launcher, &spec, log, fault, err);
	if (ret > 0)
		ret = load_reference(b, fault, err);
	if (ret > 0)
		ret = check_plans(b, fault, err);
	if (ret <= 0)
		return ret;
	return b->gpu ? kb_device_bench_start(b, fault, err)
		      : kb_host_bench_start(b, fault, err);
}

static void stop_reference(struct kb_bench *b)
{
	/* While others are on the device nobody waits until this one is not. */
	if (b->policy && b->policy->others)
		kb_launched_leave(&b->reference, b->launcher);
	else
		(void)kb_launched_end(&b->reference);
	if (b->gpu)
		kb_device_bench_stop(b);
	else
		kb_host_bench_stop(b);
	while (b->of_ranks_count)
		close(b->of_ranks[--b->of_ranks_count]);
}

static bool has_floats(const struct kb_plan *plan)
{
	for (uint32_t i = 0; i < plan->output_count; i++)
		if (kb_dtype_class(plan->outputs[i].dtype) == KB_CLASS_FLOAT)
			return true;
	return false;
}

/*
 * How far is the reference from float64? It may take too long for that or
 * too much memory, and die of it: then it is started again, and that it died
 * is all that is known.
 */
static int ask_fp64_error(struct kb_bench *b, struct kb_fp64_error **out,
			  bool alternate, struct kb_buf *log,
			  struct kb_fault *fault, struct kb_err *err)
{
	uint8_t seed[KB_SEED_BYTES];
	int ret;

	/* The same problem gets the same answer, whenever it is asked. */
	kb_random_derive(seed, b->weights_seed, KB_SEED_FP64_ERROR, 0);
	ret = kb_fp64_error_ask(out, &b->reference.worker, &b->plan, seed,
				alternate, fault, err);
	if (ret)
		return ret;
	*out = kb_fp64_error_new_unavailable(fault->detail);
	stop_reference(b);
	return start_reference(b, log, fault, err);
}

/* Ask about alternate inputs only where the error decides, and is not for
 * people alone. */
static int ask_fp64_errors(struct kb_bench *b, struct kb_buf *log,
			   struct kb_fault *fault, struct kb_err *err)
{
	const bool decides = kb_tolerance_policy_multiple(b->policy->tolerance);
	int ret;

	if (!has_floats(&b->plan))
		return 1;
	b->has_omitted = b->policy->is_quick && !decides;
	if (b->has_omitted) {
		b->fp64_error = kb_fp64_error_new_unavailable(
			"a screen does not ask for it");
		return 1;
	}
	ret = ask_fp64_error(b, &b->fp64_error, false, log, fault, err);
	if (ret > 0 && kb_bench_has_alternates(b) && decides)
		ret = ask_fp64_error(b, &b->alternate_fp64_error, true, log,
				     fault, err);
	return ret;
}

static void begin_bench(struct kb_bench *b, struct kb_launcher *launcher,
			const struct kb_policy *policy,
			const struct kb_gpu *gpu,
			const struct kb_source *problem)
{
	uint64_t seed = (uint64_t)policy->weights_seed;

	b->launcher = launcher;
	b->policy = policy;
	b->gpu = gpu;
	b->problem = *problem;
	/* Little-endian, whatever the machine. */
	for (size_t i = 0; i < sizeof(seed); i++)
		b->weights_seed[i] = (uint8_t)(seed >> (8 * i));
}

int kb_bench_open(struct kb_bench *b, struct kb_launcher *launcher,
		  const struct kb_policy *policy, const struct kb_gpu *gpu,
		  const struct kb_source *problem, struct kb_outcome *outcome,
		  struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	const int64_t start_ns = kb_clock_ns();
	struct kb_fault fault;
	int ret;

	begin_bench(b, launcher, policy, gpu, problem);
	ret = start_reference(b, &log, &fault, err);
	if (ret > 0)
		ret = ask_fp64_errors(b, &log, &fault, err);
	if (!ret) {
		kb_note_fault(outcome, &fault);
		kb_note_log(outcome, &log, &b->reference.worker);
		outcome->wall_ns = kb_clock_ns() - start_ns;
	}
	return ret;
}

void kb_bench_close(struct kb_bench *b)
{
	stop_reference(b);
	kb_fp64_error_free(b->fp64_error);
	kb_fp64_error_free(b->alternate_fp64_error);
	*b = (struct kb_bench)KB_BENCH_INIT;
}

static void begin_result(struct kb_result *r, const struct kb_bench *b)
{
	r->fp64_error = kb_fp64_error_copy(b->fp64_error);
	if (kb_bench_has_alternates(b)) {
		r->alternates = kb_alternate_trials_new();
		r->alternates->fp64_error = kb_fp64_error_copy(b->alternate_fp64_error);
	}
}

/* With a larger pool. What its old one took is given back some time after its
 * process has ended; where it is not, starting fails for want of memory. Returns
 * 0 then, and if the reference failed otherwise. */
static int start_reference_anew(struct kb_bench *b, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_device_headroom room;
	struct kb_fault fault;
	int ret = kb_device_headroom_note(&room, b, &b->pool, err);

	if (ret < 0)
		return ret;
	stop_reference(b);
	ret = kb_device_headroom_await(&room, b, err);
	return ret < 0 ? ret : start_reference(b, &log, &fault, err);
}

/* From the start, with other pools: of what came before only the time that it
 * took counts. A candidate that has failed has so still if the reference fails
 * then. */
static int judge_again(struct kb_bench *b, const struct kb_source *candidate,
		       bool is_timed, struct kb_result *r, struct kb_err *err)
{
	kb_auto(result) struct kb_result again = {
		.key = r->key, .sample_id = r->sample_id,
		.candidate = r->candidate, .backend = r->backend,
		.outcome = KB_OUTCOME_INIT,
	};
	int64_t wall_ns, cpu_ms;
	int ret;

	begin_result(&again, b);
	ret = kb_device_bench_candidate(b, candidate, is_timed, &again, err);
	if (ret < 0)
		return ret;
	wall_ns = r->outcome.wall_ns + again.outcome.wall_ns;
	cpu_ms = r->cpu_ms + again.cpu_ms;
	if (again.outcome.status != KB_STATUS_REFERENCE_FAILED ||
	    r->outcome.status == KB_STATUS_REFERENCE_FAILED) {
		const struct kb_result before = *r;

		*r = again;
		again = before;
	}
	r->outcome.wall_ns = wall_ns;
	r->cpu_ms = cpu_ms;
	return ret;
}

static int judge_on_device(struct kb_bench *b,
			   const struct kb_source *candidate, bool is_timed,
			   struct kb_result *r, struct kb_err *err)
{
	int ret = kb_device_bench_candidate(b, candidate, is_timed, r, err);

	if (!ret && kb_device_bench_wants_more(b)) {
		ret = start_reference_anew(b, err);
		if (ret > 0)
			ret = judge_again(b, candidate, is_timed, r, err);
	}
	if (ret > 0 && b->pool_bytes[KB_SIDE_CANDIDATE])
		ret = judge_again(b, candidate, is_timed, r, err);
	return ret;
}

static int judge_candidate(struct kb_bench *b,
			   const struct kb_source *candidate, bool is_timed,
			   struct kb_result *r, struct kb_err *err)
{
	begin_result(r, b);
	return b->gpu ? judge_on_device(b, candidate, is_timed, r, err)
		      : kb_host_bench_candidate(b, candidate, is_timed, r,
						err);
}

int kb_bench_candidate(struct kb_bench *b, const struct kb_source *candidate,
		       struct kb_result *r, struct kb_err *err)
{
	return judge_candidate(b, candidate, true, r, err);
}

int kb_bench_verify(struct kb_bench *b, const struct kb_source *candidate,
		    struct kb_result *r, struct kb_err *err)
{
	return judge_candidate(b, candidate, false, r, err);
}

/* --- a screen ------------------------------------------------------------ */

static int try_call(struct kb_bench *b, const uint8_t seed[KB_SEED_BYTES],
		    struct kb_fault *fault, struct kb_err *err)
{
	struct kb_worker *w = &b->reference.worker;
	struct kb_request request = { .op = KB_OP_TRY, .side = w->side };

	memcpy(request.seed, seed, KB_SEED_BYTES);
	w->first_run = true;
	return kb_worker_ask(w, &request, NULL, 0, fault, err);
}

/* Returns its time in `call_ns`, with that of its inputs. */
static int try_reference(struct kb_bench *b, const uint8_t seed[KB_SEED_BYTES],
			 int64_t *call_ns, struct kb_fault *fault,
			 struct kb_err *err)
{
	int64_t start_ns;
	int ret;

	b->reference.worker.side = KB_SIDE_REFERENCE;
	ret = load_reference(b, fault, err);
	if (ret > 0)
		ret = check_plans(b, fault, err);
	start_ns = kb_awake_ns();
	if (ret > 0)
		ret = try_call(b, seed, fault, err);
	*call_ns = kb_awake_ns() - start_ns;
	return ret;
}

static int try_candidate(struct kb_bench *b, const uint8_t seed[KB_SEED_BYTES],
			 int64_t reference_call_ns, struct kb_fault *fault,
			 struct kb_err *err)
{
	struct kb_worker *w = &b->reference.worker;
	int ret;

	w->side = KB_SIDE_CANDIDATE;
	w->phase = KB_PHASE_LOAD;
	kb_bench_limit_candidate(b, w, KB_RUNTIME_TORCH);
	ret = kb_launched_load(&b->reference, b->weights_seed, b->of_ranks,
			       fault, err);
	kb_bench_limit_run(b, w, reference_call_ns, 1);
	return ret <= 0 ? ret : try_call(b, seed, fault, err);
}

static int try_both(struct kb_bench *b, const struct kb_source *candidate,
		    struct kb_outcome *o, struct kb_buf *log,
		    struct kb_fault *fault, struct kb_err *err)
{
	const struct kb_launch_spec spec = {
		.problem = &b->problem, .candidate = candidate,
		.is_screened = true,
		.slot_bytes = b->gpu ? KB_NO_LIMIT : b->policy->tensor_bytes_max,
	};
	uint8_t seed[KB_SEED_BYTES];
	char hex[2 * KB_SEED_BYTES + 1];
	int64_t call_ns = 0;
	int ret = kb_random_seed(seed, err);

	if (ret < 0)
		return ret;
	kb_hex_format(hex, seed, KB_SEED_BYTES);
	kb_trial_seeds_add(&o->trial_seeds, hex);
	ret = make_all_shared(b, err);
	if (ret >= 0)
		ret = kb_launch(&b->reference, b->launcher, &spec, log, fault,
				err);
	if (ret > 0)
		ret = try_reference(b, seed, &call_ns, fault, err);
	return ret <= 0 ? ret :
		try_candidate(b, seed, call_ns, fault, err);
}

int kb_bench_screen(struct kb_bench *b, struct kb_launcher *launcher,
		    const struct kb_policy *policy, const struct kb_gpu *gpu,
		    const struct kb_source *problem,
		    const struct kb_source *candidate, struct kb_result *r,
		    struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	const int64_t start_ns = kb_clock_ns();
	struct kb_fault fault;
	int ret;

	begin_bench(b, launcher, policy, gpu, problem);
	begin_result(r, b);
	ret = try_both(b, candidate, &r->outcome, &log, &fault, err);
	if (ret < 0)
		return ret;
	kb_note_log(&r->outcome, &log, &b->reference.worker);
	if (ret > 0)
		r->outcome.status = KB_STATUS_CORRECT;
	else if (fault.side == KB_SIDE_REFERENCE)
		kb_note_reference_fault(&r->outcome, &fault);
	else
		kb_note_fault(&r->outcome, &fault);
	/* Who passes has no record yet, and is not waited for. */
	if (!ret)
		r->cpu_ms = kb_note_cpu_ms(kb_launched_end(&b->reference));
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return 0;
}

/* --- a reference alone --------------------------------------------------- */

static int time_again(struct kb_bench *b, struct kb_reference_result *r,
		      struct kb_err *err)
{
	const int64_t wall_ns = r->outcome.wall_ns;
	const struct kb_reference_result anew = {
		.key = r->key, .mode = r->mode, .outcome = KB_OUTCOME_INIT,
	};
	int ret = start_reference_anew(b, err);

	if (ret <= 0)
		return ret;
	kb_reference_result_release(r);
	*r = anew;
	r->fp64_error = kb_fp64_error_copy(b->fp64_error);
	ret = kb_device_bench_reference(b, r, err);
	r->outcome.wall_ns += wall_ns;
	return ret;
}

int kb_bench_reference(struct kb_bench *b, struct kb_reference_result *r,
		       struct kb_err *err)
{
	int ret;

	r->fp64_error = kb_fp64_error_copy(b->fp64_error);
	if (!b->gpu)
		return kb_host_bench_reference(b, r, err);
	ret = kb_device_bench_reference(b, r, err);
	if (!ret && kb_device_bench_wants_more(b))
		ret = time_again(b, r, err);
	return ret;
}
