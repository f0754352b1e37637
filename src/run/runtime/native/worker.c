/*
 * kb-worker-native [--cuda] [--alternate LIST]: runs a reference or a candidate
 * in C, or in CUDA C++ on a device, for the supervisor. worker/protocol.h is what the
 * two say to each other, runtime/native/kb_native.h what this program and
 * the code it runs do.
 *
 * Whatever goes wrong in that code and can be said is said in an ack; the
 * reason is written to standard error, which is the candidate's log.
 */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/err.h"
#include "runtime/lib/kbrt.h"
#include "runtime/native/kb_native.h"
#include "runtime/native/problem.h"

/* LOAD brings control page, plan, state and program. */
#define LOAD_FD_COUNT 4

struct slot {
	struct kb_native_call call;
	struct kb_native_tensor inputs[KB_INPUTS_MAX];
	struct kb_native_tensor outputs[KB_OUTPUTS_MAX];
};

struct worker {
	struct kbrt *rt;
	bool cuda;
	__typeof__(kb_forward) *forward;
	const struct kb_native_problem *problem;	/* of a reference */
	struct kb_native_change change;			/* likewise */
	struct kb_native_tensor *params;
	uint32_t param_count;
	struct slot **slots;
	uint32_t slot_count;
};

/* The supervisor and we no longer understand each other. */
static void __attribute__((noreturn)) leave(const struct kb_err *err)
{
	fprintf(stderr, "kb-worker-native: %s\n", err->msg);
	_exit(KBRT_EXIT_LOST);
}

/* The ack for what a function of ours returned. */
static uint32_t code_of(int ret, const struct kb_err *err)
{
	uint32_t code = ret < 0 ? kbrt_code_of(err) : (uint32_t)KB_ACK_OK;

	if (code == KB_ACK_CODE_COUNT)
		leave(err);
	if (code != KB_ACK_OK)
		fprintf(stderr, "kb-worker-native: %s\n", err->msg);
	return code;
}

static void acknowledge_request(struct worker *w, uint32_t code)
{
	struct kb_err err = KB_ERR_INIT;

	/* The log is read up to here before anything else happens. */
	fflush(NULL);
	if (kbrt_ack(w->rt, code, &err) < 0)
		leave(&err);
}

/* Returns the symbol, or NULL having said why. */
static void *find_symbol(void *program, const char *name)
{
	void *symbol = dlsym(program, name);

	if (!symbol)
		fprintf(stderr, "kb-worker-native: the program does not define '%s'\n",
			name);
	return symbol;
}

static uint32_t open_program(struct worker *w)
{
	char path[64];
	void *program;

	snprintf(path, sizeof(path), "/proc/self/fd/%d",
		 kbrt_program_fd(w->rt));
	program = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!program) {
		fprintf(stderr, "kb-worker-native: %s\n", dlerror());
		return KB_ACK_LOAD_FAILED;
	}

	w->forward =
		(__typeof__(kb_forward) *)find_symbol(program, "kb_forward");
	if (!w->forward)
		return KB_ACK_LOAD_FAILED;
	if (kbrt_side(w->rt) == KB_SIDE_CANDIDATE)
		return KB_ACK_OK;
	w->problem = find_symbol(program, "kb_problem");
	return w->problem ? KB_ACK_OK : KB_ACK_LOAD_FAILED;
}

static struct kb_native_tensor tensor_of(const struct kb_tensor_spec *spec,
					 const char *name, void *data)
{
	struct kb_native_tensor t = {
		.data = data,
		.name = name,
		.dtype = spec->dtype,
		.ndim = spec->ndim,
	};

	for (uint32_t i = 0; i < spec->ndim; i++)
		t.dims[i] = spec->dims[i];
	return t;
}

static void collect_params(struct worker *w)
{
	const uint32_t count = kbrt_state_count(w->rt);

	w->params = kb_xcalloc(count + 1, sizeof(*w->params));
	for (uint32_t i = 0; i < count; i++) {
		const char *name = kbrt_state_name(w->rt, i);

		if (name[0] == KB_STATE_NOTE)
			continue;
		w->params[w->param_count++] =
			tensor_of(kbrt_state_spec(w->rt, i), name,
				  w->cuda ? kbrt_state_on_device(w->rt, i)
					  : kbrt_state_data(w->rt, i));
	}
}

/* No code has run yet, so a device that refuses is nobody's failure. */
static uint32_t open_device(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;
	int ret = kbrt_cuda_open(w->rt, &err);

	if (ret < 0 && kbrt_code_of(&err) != KB_ACK_NO_MEMORY)
		leave(&err);
	return code_of(ret, &err);
}

static uint32_t load_program(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;
	uint32_t code = KB_ACK_OK;
	int ret = 0;

	if (kbrt_load(w->rt, LOAD_FD_COUNT, &err) < 0)
		return code_of(-1, &err);
	if (w->cuda)
		code = open_device(w);
	if (code == KB_ACK_OK)
		code = open_program(w);
	if (code != KB_ACK_OK)
		return code;

	if (w->problem) {
		ret = kb_problem_check(w->problem, &err);
		if (!ret)
			ret = kb_native_change_check(&w->change, w->problem,
						     &err);
		if (!ret)
			ret = kb_problem_publish(w->rt, w->problem, &err);
	}
	if (!ret && w->cuda)
		ret = kbrt_state_to_device(w->rt, &err);
	if (!ret)
		collect_params(w);
	return code_of(ret, &err);
}

static struct slot *make_slot(struct worker *w, uint32_t index)
{
	struct slot *s = kb_xcalloc(1, sizeof(*s));

	for (uint32_t i = 0; i < kbrt_input_count(w->rt); i++)
		s->inputs[i] = tensor_of(kbrt_input_spec(w->rt, i), NULL,
					 kbrt_input_data(w->rt, index, i));
	for (uint32_t i = 0; i < kbrt_output_count(w->rt); i++)
		s->outputs[i] = tensor_of(kbrt_output_spec(w->rt, i), NULL,
					  kbrt_output_data(w->rt, index, i));
	s->call = (struct kb_native_call){
		.version = KB_NATIVE_VERSION,
		.input_count = kbrt_input_count(w->rt),
		.output_count = kbrt_output_count(w->rt),
		.param_count = w->param_count,
		.inputs = s->inputs,
		.outputs = s->outputs,
		.params = w->params,
		.stream = NULL,
	};
	return s;
}

static void add_slot(struct worker *w, uint32_t index)
{
	if (index >= w->slot_count) {
		w->slots = kb_xreallocarray(w->slots, index + 1,
					    sizeof(*w->slots));
		for (uint32_t i = w->slot_count; i <= index; i++)
			w->slots[i] = NULL;
		w->slot_count = index + 1;
	}
	w->slots[index] = make_slot(w, index);
}

static uint32_t map_slots(struct worker *w)
{
	const uint32_t first = kbrt_first_slot(w->rt);
	struct kb_err err = KB_ERR_INIT;

	if (kbrt_slot_map(w->rt, &err) < 0)
		return code_of(-1, &err);
	for (uint32_t i = 0; i < kbrt_slot_count(w->rt); i++)
		add_slot(w, first + i);
	return KB_ACK_OK;
}

static uint32_t map_pool(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;

	return code_of(kbrt_pool_map(w->rt, &err), &err);
}

/* Wait for the device, if there is one. */
static uint32_t settle_state(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;

	return w->cuda ? code_of(kbrt_device_sync(w->rt, &err), &err)
		       : (uint32_t)KB_ACK_OK;
}

static uint32_t generate_inputs(struct worker *w)
{
	const struct kb_native_change *change =
		kbrt_alternate(w->rt) ? &w->change : NULL;
	const uint32_t first = kbrt_first_slot(w->rt);
	struct kb_err err = KB_ERR_INIT;
	int ret = kbrt_slots_check(w->rt, &err);

	if (!w->problem)
		ret = kb_err(&err, KB_ERR_CORRUPT,
			     "a candidate is asked for inputs");
	for (uint32_t i = 0; !ret && i < kbrt_slot_count(w->rt); i++)
		ret = kb_problem_generate(w->rt, w->problem, change, first + i,
					  i, &err);
	return ret ? code_of(ret, &err) : settle_state(w);
}

/* The timed part. */
static int call_all(struct worker *w)
{
	const uint32_t first = kbrt_first_slot(w->rt);
	int result = KB_NATIVE_OK;

	for (uint32_t i = 0; !result && i < kbrt_slot_count(w->rt); i++)
		result = w->forward(&w->slots[first + i]->call);
	return result;
}

static uint32_t code_of_result(int result)
{
	if (result == KB_NATIVE_OK)
		return KB_ACK_OK;
	fprintf(stderr, "kb-worker-native: kb_forward() returned %d\n", result);
	return result == KB_NATIVE_NO_MEMORY ? KB_ACK_NO_MEMORY :
					       KB_ACK_RUN_FAILED;
}

static void prepare_calls(struct worker *w)
{
	const uint32_t first = kbrt_first_slot(w->rt);
	struct kb_err err = KB_ERR_INIT;

	if (kbrt_slots_check(w->rt, &err) < 0)
		leave(&err);
	if (!w->cuda)
		return;
	for (uint32_t k = 0; k < kbrt_slot_count(w->rt); k++)
		for (uint32_t i = 0; i < kbrt_output_count(w->rt); i++)
			kbrt_output_in_slot(w->rt, first + k, i);
}

/* On a device, behind all that was queued there; but calls that failed are
 * over at once. */
static void say_done(struct worker *w, bool failed)
{
	struct kb_err err = KB_ERR_INIT;

	if (failed || !w->cuda || kbrt_stream_gate_done(w->rt, &err) < 0)
		kbrt_gate_done(w->rt);
}

static void await_release(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;

	if (kbrt_gate_wait_release(w->rt, &err) < 0)
		leave(&err);
}

/* The gate is in this thread. */
static uint32_t run_behind_host_gate(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;
	uint32_t code = settle_state(w);
	int result;

	if (code != KB_ACK_OK)
		return code;
	acknowledge_request(w, KB_ACK_OK);

	if (kbrt_gate_wait(w->rt, &err) < 0)
		leave(&err);
	result = call_all(w);
	say_done(w, result != KB_NATIVE_OK);
	await_release(w);

	code = code_of_result(result);
	return code == KB_ACK_OK ? settle_state(w) : code;
}

/* The gate is on the device. */
static uint32_t run_behind_stream_gate(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;
	uint32_t code = settle_state(w);

	if (code == KB_ACK_OK)
		code = code_of(kbrt_stream_gate_wait(w->rt, &err), &err);
	if (code == KB_ACK_OK)
		code = code_of_result(call_all(w));
	if (code == KB_ACK_OK)
		code = code_of(kbrt_stream_gate_done(w->rt, &err), &err);
	if (code != KB_ACK_OK)
		return code;

	acknowledge_request(w, KB_ACK_OK);
	await_release(w);
	return settle_state(w);
}

static uint32_t run_calls(struct worker *w)
{
	uint32_t code;

	prepare_calls(w);
	switch (kbrt_gate_of_request(w->rt)) {
	case KB_GATE_STREAM:
		return run_behind_stream_gate(w);
	case KB_GATE_NONE:
		code = code_of_result(call_all(w));
		return code == KB_ACK_OK ? settle_state(w) : code;
	default:
		return run_behind_host_gate(w);
	}
}

static uint32_t refuse_fp64_error(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;

	return code_of(kbrt_fp64_error_publish(w->rt,
				"native code has no float64 form", &err), &err);
}

static uint32_t count_kernels(struct worker *w)
{
	struct kb_err err = KB_ERR_INIT;
	uint32_t code;
	int ret = kbrt_kernels_begin(w->rt, &err);

	if (ret <= 0)
		return code_of(ret, &err);
	code = run_calls(w);
	if (code == KB_ACK_OK)
		return code_of(kbrt_kernels_end(w->rt, &err), &err);
	kbrt_kernels_drop(w->rt);
	return code;
}

static uint32_t serve_request(struct worker *w, int op)
{
	switch (op) {
	case KB_OP_LOAD:
		return load_program(w);
	case KB_OP_POOL:
		return map_pool(w);
	case KB_OP_SLOT:
		return map_slots(w);
	case KB_OP_GENERATE:
		return generate_inputs(w);
	case KB_OP_FP64_ERROR:
		return refuse_fp64_error(w);
	case KB_OP_KERNELS:
		return count_kernels(w);
	default:
		return run_calls(w);
	}
}

/* False if the command line makes no sense. */
static bool read_options(struct worker *w, char *argv[])
{
	char **next = argv + 1;

	w->cuda = *next && !strcmp(*next, "--cuda");
	next += w->cuda;
	if (*next && !strcmp(*next, "--alternate")) {
		if (!next[1] || !kb_native_change_parse(&w->change, next[1]))
			return false;
		next += 2;
	}
	return !*next;
}

int main(int argc, char *argv[])
{
	struct worker w = { .rt = kbrt_new(KB_CHANNEL_FD) };
	struct kb_err err = KB_ERR_INIT;
	int op;

	if (argc < 1 || !read_options(&w, argv)) {
		fputs("usage: kb-worker-native [--cuda] "
		      "[--alternate INPUT:SCALE:SHIFT[,...]]\n", stderr);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((op = kbrt_receive(w.rt, &err)) > 0)
		acknowledge_request(&w, serve_request(&w, op));
	if (op < 0)
		leave(&err);

	/* Not exit(): what the program registered for that is not ours to
	 * run, and could keep us. */
	fflush(NULL);
	_exit(0);
}
