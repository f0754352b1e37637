#include "runs/doctor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cuda/cupti_api.h"
#include "device/cuda.h"
#include "device/facts.h"
#include "device/granted.h"
#include "device/sys_fact.h"
#include "json/json.h"
#include "session/environment.h"
#include "session/session.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "worker/fault.h"
#include "worker/program.h"

#define GIB ((uint64_t)1 << 30)

static const struct kb_option no_options[] = { KB_OPTION_END };

/* Lines from sessions, whose callback has no context. */
static struct kb_buf said = KB_BUF_INIT;

static void keep_line(const char *line)
{
	kb_buf_addf(&said, "%s\n", line);
}

static void __attribute__((format(printf, 3, 0)))
add_text(struct kb_buf *out, const char *head, const char *fmt, va_list args)
{
	kb_auto(mem) char *text = kb_xvasprintf(fmt, args);

	kb_buf_addstr(out, head);
	kb_format_text(out, text);
	kb_buf_addch(out, '\n');
}

static void __attribute__((format(printf, 4, 5)))
add(struct kb_buf *out, const char *word, const char *subject,
    const char *fmt, ...)
{
	kb_auto(mem) char *head = kb_xasprintf("%-4s  %-8s  ", word, subject);
	va_list args;

	va_start(args, fmt);
	add_text(out, head, fmt, args);
	va_end(args);
}

/* Print the remedy for the finding above. */
static void __attribute__((format(printf, 2, 3)))
advise(struct kb_buf *out, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_text(out, "                ", fmt, args);
	va_end(args);
}

/* Warnings and notes that a run begins with; each has its own remedy. */
static void add_said(struct kb_buf *out)
{
	char *next = said.data, *line;

	while (next && (line = strsep(&next, "\n"))) {
		const char *colon = strstr(line, ": ");

		if (*line)
			add(out, "note", "run", "%s", colon ? colon + 2 : line);
	}
	kb_buf_clear(&said);
}

/* --- the host --------------------------------------------------------- */

static int64_t number_of(const struct kb_json *environment,
			 const char *section, const char *fact)
{
	return kb_json_int_or(kb_json_find(environment, section), fact, -1);
}

static const char *text_of(const struct kb_json *environment,
			   const char *section, const char *fact)
{
	const char *text = kb_environment_text(environment, section, fact);

	return text ? text : "unknown";
}

static const char *why_not(const struct kb_json *environment,
			   const char *section)
{
	return kb_environment_text(environment, section, "unavailable");
}

/* Clocks that a process reads without a system call, or nearly. */
static bool is_quick(const char *clock)
{
	static const char *const quick[] = {
		"tsc", "arch_sys_counter", "kvm-clock",
		"hyperv_clocksource_tsc_page",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(quick); i++)
		if (!strcmp(clock, quick[i]))
			return true;
	return false;
}

static void look_at_clock(struct kb_buf *out)
{
	kb_auto(json) struct kb_json *v = kb_sys_fact_line(
		"", "/sys/devices/system/clocksource/clocksource0/"
		"current_clocksource");

	if (kb_json_type(v) != KB_JSON_STRING)
		add(out, "note", "clock", "the kernel does not say which: %s",
		    kb_json_text(v, "unavailable"));
	else if (is_quick(kb_json_string_value(v)))
		add(out, "ok", "clock", "%s", kb_json_string_value(v));
	else {
		add(out, "note", "clock", "%s, which takes long to read",
		    kb_json_string_value(v));
		advise(out, "short calls measure longer by the call clock: time "
		       "on a host whose clock is tsc or arch_sys_counter");
	}
}

static void look_at_host(struct kb_buf *out)
{
	kb_auto(json) struct kb_json *e = kb_environment_cpu();
	const char *governor = kb_environment_text(e, "cpu", "governor");

	add(out, "ok", "host", "%s, %s; %" PRId64 " processors and %" PRIu64
	    " GiB of memory are granted", text_of(e, "os", "machine"),
	    text_of(e, "cpu", "model"), kb_granted_cpus(""),
	    kb_granted_memory_bytes("") / GIB);
	add(out, "ok", "system", "Linux %s, %s, %s, pages of %" PRId64 " KiB",
	    text_of(e, "os", "kernel"), text_of(e, "os", "distribution"),
	    text_of(e, "os", "libc"), number_of(e, "os", "page_bytes") / 1024);
	look_at_clock(out);
	if (!governor || !strcmp(governor, "performance"))
		return;
	add(out, "note", "clock", "processors change their speed: governor '%s'",
	    governor);
	advise(out, "times by the call clock vary more: set 'performance', if "
	       "you may");
}

/* --- programs --------------------------------------------------------- */

static const char c_code[] =
	"#include <math.h>\n#include \"kb_native.h\"\n"
	"double kb_doctor(double x) { return sin(x); }\n";

static const char cuda_code[] =
	"#include \"kb_native.h\"\n#ifdef __CUDACC__\n"
	"__global__ void kb_doctor(float *x) { x[threadIdx.x] = 1; }\n"
	"#endif\n";

/* Does the fixed command line build, confined as for a candidate? */
static int try_compiler(struct kb_buf *out, struct kb_launcher *l,
			const char *subject, const char *version,
			struct kb_err *err)
{
	const char *code = l->cuda ? cuda_code : c_code;
	const struct kb_source source = {
		.runtime = l->cuda ? KB_RUNTIME_CUDA : KB_RUNTIME_NATIVE,
		.data = code, .len = strlen(code),
	};
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	kb_auto(mem) char *flags = kb_native_build_flags(l);
	kb_auto(fd) int program_fd = -1;
	struct kb_fault fault = { .detail = "" };
	struct kb_err why = KB_ERR_INIT;
	int ret = kb_program_make(&program_fd, l, &source, &log, &fault, &why);

	if (ret == -KB_ERR_INTERRUPTED)
		return kb_err_take(err, &why);
	if (ret > 0) {
		add(out, "ok", subject, "%s builds native code", version);
		return 0;
	}
	add(out, "note", subject, "%s does not build native code: %s", version,
	    ret < 0 ? why.msg : fault.detail);
	advise(out, "it is called with %s", flags);
	return 0;
}

static void miss_compiler(struct kb_buf *out, const char *subject,
			  const char *why, const char *option)
{
	add(out, "note", subject, "%s", why);
	advise(out, "native code needs it: load its module, or name it with %s",
	       option);
}

static int look_at_cc(struct kb_buf *out, struct kb_session *s,
		      struct kb_err *err)
{
	const struct kb_json *e = s->run.conditions.environment;

	if (!why_not(e, "compiler"))
		return try_compiler(out, &s->machine.launcher, "cc",
				    text_of(e, "compiler", "version"), err);
	miss_compiler(out, "cc", why_not(e, "compiler"), "--cc");
	return 0;
}

static int look_at_nvcc(struct kb_buf *out, struct kb_session *s,
			struct kb_err *err)
{
	const struct kb_json *e = s->run.conditions.environment;
	const struct kb_json *v = kb_json_find(kb_json_find(e, "cuda"),
					       "nvcc_version");

	if (kb_json_type(v) == KB_JSON_STRING)
		return try_compiler(out, &s->machine.launcher, "nvcc",
				    kb_json_string_value(v), err);
	miss_compiler(out, "nvcc", kb_json_text(v, "unavailable"), "--nvcc");
	return 0;
}

static void look_at_torch(struct kb_buf *out, const struct kb_session *s)
{
	const struct kb_launcher *l = &s->machine.launcher;
	const struct kb_json *e = s->run.conditions.environment;
	const char *without = why_not(e, "torch");
	struct kb_err why = KB_ERR_INIT;

	if (without) {
		add(out, "note", "torch", "%s: %s",
		    l->python ? l->python : "there is no Python", without);
		advise(out, "problems and candidates in Python need it: load its "
		       "module or environment, or name its Python with --python "
		       "or KB_PYTHON");
		advise(out, "if it imports there without kb, add the "
		       "directories that it needs to KB_READABLE");
		return;
	}
	add(out, "ok", "torch", "%s of '%s', Python %s",
	    text_of(e, "torch", "version"), l->python,
	    text_of(e, "python", "version"));
	if (kb_session_check_memory(s, &why) < 0)
		add(out, "note", "torch", "%s", why.msg);
}

static void look_at_scratch(struct kb_buf *out, const struct kb_session *s)
{
	const char *root = s->machine.launcher.scratch.root;
	struct kb_err why = KB_ERR_INIT;

	if (kb_session_check_exec(s, &why) < 0)
		add(out, "note", "TMPDIR", "%s", why.msg);
	else
		add(out, "ok", "TMPDIR", "'%.*s' takes scratch directories",
		    (int)(strrchr(root, '/') - root), root);
}

static void look_at_sandbox(struct kb_buf *out, const struct kb_session *s)
{
	const struct kb_launcher *l = &s->machine.launcher;
	kb_auto(buf) struct kb_buf missing = KB_BUF_INIT;

	kb_features_missing(&missing, l->features, !geteuid());
	if (missing.len) {
		add(out, "note", "sandbox", "candidates are confined without: %s",
		    missing.data);
		advise(out, "verdicts do not depend on it, but a candidate may "
		       "reach or use more: see 'Confinement' in SECURITY.md");
	} else {
		add(out, "ok", "sandbox", "all that SECURITY.md lists is in force");
	}
	add_said(out);
}

/* --- devices ---------------------------------------------------------- */

/* With a suite of which nothing is selected: so facts of both runtimes are recorded
 * where they can be had, and none is missed. */
static void set_up(struct kb_session *s, const struct kb_doctor_options *o,
		   const char *device)
{
	struct kb_suite *suite = &s->run.suite;

	suite->problems = kb_xcalloc(2, sizeof(*suite->problems));
	suite->problem_count = 2;
	suite->problems[0].runtime = KB_RUNTIME_TORCH;
	suite->problems[1].runtime = KB_RUNTIME_NATIVE;
	s->asked.device = device;
	s->asked.python = o->python;
	s->asked.cc = o->cc;
	s->asked.nvcc = o->nvcc;
	s->say = keep_line;
}

static int open_session(struct kb_session *s, struct kb_err *err)
{
	int ret = kb_session_open(s, "kb", no_options, err);

	/* Another line of the report names the Python. */
	kb_buf_clear(&said);
	return ret < 0 ? ret : kb_session_note_conditions(s, false, false, err);
}

static int look_at_cpu(struct kb_buf *out, struct kb_session *s,
		       struct kb_err *err)
{
	int ret = open_session(s, err);

	if (ret < 0)
		return ret;
	add(out, "ok", "limits", "descriptors, stack and processes suffice");
	look_at_scratch(out, s);
	look_at_sandbox(out, s);
	ret = look_at_cc(out, s, err);
	if (ret >= 0)
		look_at_torch(out, s);
	return ret < 0 ? ret : 1;
}

static bool is_true(const struct kb_json *environment, const char *section,
		    const char *fact)
{
	const struct kb_json *v = kb_json_find(
		kb_json_find(environment, section), fact);

	return v && kb_json_type(v) == KB_JSON_BOOL && kb_json_bool_value(v);
}

static void look_at_gpu(struct kb_buf *out, const struct kb_session *s,
			const char *name)
{
	const struct kb_json *e = s->run.conditions.environment;
	const struct kb_cuda_device *d = kb_cuda_device(s->machine.gpu.gpu.cuda);
	const int64_t others = number_of(e, "gpu", "other_processes");

	add(out, "ok", name, "%s, compute capability %d.%d, %" PRIu64 " GiB; "
	    "driver %s, CUDA %s", d->name, d->capability_major,
	    d->capability_minor, d->memory_bytes / GIB,
	    text_of(e, "driver", "version"),
	    text_of(e, "driver", "cuda_version"));
	if (s->machine.gpu.why_no_nvml) {
		add(out, "note", name, "%s", s->machine.gpu.why_no_nvml);
		advise(out, "clocks, power limit, ECC and errors (Xid) of the GPU "
		       "are not recorded");
	}
	if (is_true(e, "gpu", "mig"))
		add(out, "note", name, "MIG is on: this is an instance, whose "
		    "times match those of instances alone");
	if (others > 0)
		add(out, "note", name, "%" PRId64 " other processes are on it: "
		    "time on a GPU that nobody shares", others);
	if (d->reads_host_memory)
		add(out, "note", name, "its kernels can read the pageable memory "
		    "of their own process: see SECURITY.md");
}

static void look_at_libraries(struct kb_buf *out, const struct kb_session *s)
{
	const struct kb_json *e = s->run.conditions.environment;
	const char *runtime = kb_environment_text(e, "cuda", "runtime_version");
	const int64_t cudnn = number_of(e, "cuda", "cudnn_version");
	kb_auto(mem) char *cudnn_text = kb_xasprintf("%" PRId64, cudnn);
	struct kb_err why = KB_ERR_INIT;

	if (runtime)
		add(out, "ok", "torch", "has loaded CUDA %s, cuBLAS %s, cuDNN %s",
		    runtime, text_of(e, "cuda", "cublas_version"),
		    cudnn < 0 ? "unknown" : cudnn_text);
	else if (!why_not(e, "torch")) {
		add(out, "note", "torch", "is there without CUDA");
		advise(out, "problems in Python need a torch with CUDA for this "
		       "architecture");
	}
	if (kb_cupti_api(&why)) {
		add(out, "ok", "CUPTI", "kb-eval --profile can count kernels, if "
		    "the driver lets this user");
		return;
	}
	add(out, "note", "CUPTI", "%s", why.msg);
	advise(out, "kb-eval --profile tells nothing of single kernels then; "
	       "CUDA_HOME names a toolkit that has it");
}

/* Libraries are asked about once. Returns 1, or 0 if no run can begin there. */
static int look_at_device(struct kb_buf *out,
			  const struct kb_doctor_options *o, const char *name,
			  bool is_first, struct kb_err *err)
{
	struct kb_session s = KB_SESSION_INIT;
	struct kb_err why = KB_ERR_INIT;
	int ret;

	set_up(&s, o, name);
	ret = open_session(&s, &why);
	if (ret >= 0) {
		look_at_gpu(out, &s, name);
		if (is_first) {
			ret = look_at_nvcc(out, &s, &why);
			look_at_libraries(out, &s);
		}
	}
	kb_session_release(&s);
	kb_buf_clear(&said);
	if (ret == -KB_ERR_INTERRUPTED)
		return kb_err_take(err, &why);
	if (ret >= 0)
		return 1;
	add(out, "no", name, "%s", why.msg);
	if (ret == -KB_ERR_MISSING)
		advise(out, "for a GPU, install its driver, let the container "
		       "or the batch system give you one, and build kb with "
		       "nvcc in PATH");
	return 0;
}

/* Ask for each device of the driver, or for the first to get the reason. */
static int count_gpus(size_t *count, const struct kb_doctor_options *o,
		      struct kb_err *err)
{
	struct kb_session s = KB_SESSION_INIT;
	int ret;

	set_up(&s, o, "cuda:all");
	ret = kb_session_prepare(&s, "kb", no_options, err);
	if (ret >= 0)
		ret = kb_session_device_count(&s, err);
	*count = s.machine.gpu.count;
	kb_session_release(&s);
	return ret;
}

static int look_at_gpus(struct kb_buf *out, const struct kb_doctor_options *o,
			struct kb_buf *ready, struct kb_err *err)
{
	size_t count = 0;
	int ret = count_gpus(&count, o, err);

	for (size_t i = 0; i < count && ret >= 0; i++) {
		char name[KB_SESSION_DEVICE_NAME_SIZE];

		snprintf(name, sizeof(name), "cuda:%zu", i);
		ret = look_at_device(out, o, name, i == 0, err);
		if (ret > 0)
			kb_buf_addf(ready, "%s%s", ready->len ? ", " : "", name);
	}
	return ret;
}

int kb_doctor(struct kb_buf *out, const struct kb_doctor_options *o,
	      struct kb_err *err)
{
	struct kb_session s = KB_SESSION_INIT;
	kb_auto(buf) struct kb_buf ready = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	int ret;

	look_at_host(out);
	set_up(&s, o, "cpu");
	ret = look_at_cpu(out, &s, &why);
	kb_session_release(&s);
	if (ret > 0) {
		kb_buf_addstr(&ready, "cpu");
		ret = look_at_gpus(out, o, &ready, &why);
	}
	kb_buf_release(&said);
	if (ret == -KB_ERR_INTERRUPTED)
		return kb_err_take(err, &why);
	if (ret < 0)
		add(out, "no", "run", "%s", why.msg);
	if (ready.len)
		kb_buf_addf(out, "\nRuns can start on: %s\n", ready.data);
	else
		kb_buf_addstr(out, "\nNo run can start on this host.\n");
	return ready.len > 0;
}
