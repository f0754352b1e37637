#include "session/device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/pause.h"
#include "cuda/cuda_api.h"
#include "cuda/patience.h"
#include "device/cuda.h"
#include "device/cuda_facts.h"
#include "device/facts.h"
#include "device/gpu_health.h"
#include "device/nvml.h"
#include "device/xid.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "measure/device_headroom.h"
#include "session/session.h"

#define MIB ((uint64_t)1 << 20)
#define SALT_BYTES_MAX 4096

static int add_ordinal(struct kb_session_device *d, int ordinal,
		       struct kb_err *err)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->ordinals[i] == ordinal)
			return kb_err(err, KB_ERR_USAGE,
				      "device 'cuda:%d' is there twice",
				      ordinal);
	if (d->count == KB_SESSION_DEVICES_MAX)
		return kb_err(err, KB_ERR_USAGE, "more than %d devices",
			      KB_SESSION_DEVICES_MAX);
	d->ordinals[d->count++] = ordinal;
	return 0;
}

static int parse_one(struct kb_session_device *d, const char *name,
		     struct kb_err *err)
{
	const char *digits = name + strlen("cuda:");

	if (!strcmp(name, "cuda"))
		return add_ordinal(d, 0, err);
	if (!strncmp(name, "cuda:", strlen("cuda:")) && *digits &&
	    strlen(digits) <= 3 &&
	    strspn(digits, "0123456789") == strlen(digits))
		return add_ordinal(d, atoi(digits), err);
	return kb_err(err, KB_ERR_USAGE,
		      "option '--device' wants cpu or a GPU such as cuda:0, not "
		      "'%s'", name);
}

static int parse_name(struct kb_session_device *d, const char *name,
		      struct kb_err *err)
{
	kb_auto(mem) char *list = kb_xstrdup(name);
	char *next = list, *one;
	int ret = 0;

	d->count = 0;
	d->is_cuda = strcmp(name, "cpu");
	d->is_all = !strcmp(name, "cuda:all");
	if (!d->is_cuda || d->is_all)
		return 0;
	while (ret >= 0 && (one = strsep(&next, ",")))
		ret = parse_one(d, one, err);
	d->ordinal = d->ordinals[0];
	return ret;
}

/* In a process of its own: one that has asked the driver cannot leave it to
 * its children. */
static void __attribute__((noreturn)) count_and_exit(void)
{
	const struct kb_cuda_api *api = kb_cuda_api(NULL);
	int count = 0;

	if (!api || api->Init(0) || api->DeviceGetCount(&count) || count < 0)
		count = 0;
	/* The count goes back as the exit status, of which a parent sees 8 bits
	 * (_exit(2)). */
	_exit(count < KB_SESSION_DEVICES_MAX ? count : KB_SESSION_DEVICES_MAX);
}

int kb_session_device_count(struct kb_session *s, struct kb_err *err)
{
	struct kb_session_device *d = &s->machine.gpu;
	int status = 0;
	pid_t pid;

	if (!d->is_all || d->count)
		return 0;
	pid = fork();
	if (!pid)
		count_and_exit();
	if (pid < 0)
		return kb_err_sys(err, "cannot start a process");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	d->count = WIFEXITED(status) && WEXITSTATUS(status) ?
		(size_t)WEXITSTATUS(status) : 1;
	for (size_t i = 0; i < d->count; i++)
		d->ordinals[i] = (int)i;
	return 0;
}

void kb_session_device_name(char out[KB_SESSION_DEVICE_NAME_SIZE],
			    const struct kb_session *s, size_t number)
{
	if (s->machine.gpu.is_cuda)
		snprintf(out, KB_SESSION_DEVICE_NAME_SIZE, "cuda:%d",
			 s->machine.gpu.ordinals[number]);
	else
		snprintf(out, KB_SESSION_DEVICE_NAME_SIZE, "cpu");
}

int kb_session_device_parse(struct kb_session *s, struct kb_err *err)
{
	static const char *const precisions[] = { "fp32", "fp16", "bf16", NULL };
	static const char *const switches[] = { "on", "off", NULL };
	static const char *const tf32[] = { "off", "torch", "on", NULL };
	const struct kb_session_options *o = &s->asked;
	int ret = parse_name(&s->machine.gpu, o->device, err);

	/* Of a record that is measured again nobody asks. */
	if (!o->precision)
		s->asked.precision = "fp32";
	if (ret >= 0)
		ret = kb_option_check_word("precision", o->precision,
					   precisions, err);
	if (ret >= 0 && o->tf32)
		ret = kb_option_check_word("tf32", o->tf32, tf32, err);
	if (ret >= 0)
		ret = kb_option_check_word("deterministic", o->deterministic,
					   switches, err);
	if (ret < 0 || s->machine.gpu.is_cuda)
		return ret;
	if (strcmp(o->precision, "fp32") ||
	    (o->tf32 && strcmp(o->tf32, "off")) ||
	    strcmp(o->deterministic, "off"))
		return kb_err(err, KB_ERR_USAGE,
			      "--precision, --tf32 and --deterministic are for "
			      "CUDA devices");
	return 0;
}

/* A salt is kept out of records, so it is not an option's value. */
static int read_salt(struct kb_session_device *d, const char *file,
		     struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (!file)
		return 0;
	ret = kb_file_read_named(&text, file, SALT_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	d->salt = kb_xstrndup(text.data, strcspn(text.data, "\n"));
	if (!*d->salt)
		return kb_err(err, KB_ERR_INPUT, "'%s' has no salt in it",
			      file);
	return 0;
}

static void set_policy(struct kb_policy *p, struct kb_session_options *o,
		       uint64_t memory_bytes)
{
	if (!o->output_pool_mib)
		o->output_pool_mib = (int64_t)(memory_bytes / 4 / MIB);
	if (!o->tensor_mib)
		o->tensor_mib = (int64_t)(memory_bytes / 5 / MIB);
	p->trials_max = o->trials_max < o->trials ? o->trials : o->trials_max;
	p->tensor_bytes_max = (uint64_t)o->tensor_mib * MIB;
	p->batch_calls_max = KB_BATCH_CALLS_MAX;
	p->batch_min_ns = KB_BATCH_MIN_NS;
	p->interval_ppm = o->interval_ppm;
	p->budget_ns = o->budget_s * INT64_C(1000000000);
	p->pool_bytes = (uint64_t)o->output_pool_mib * MIB;
}

static void set_launcher(struct kb_launcher *l,
			 const struct kb_session_options *o,
			 const struct kb_cuda_device *d)
{
	char uuid[KB_NVML_UUID_SIZE];

	kb_nvml_uuid_format(uuid, d->uuid);
	l->cuda = true;
	free(l->cuda_visible);
	l->cuda_visible = kb_xstrdup(uuid);
	l->cuda_arch = 10 * d->capability_major + d->capability_minor;
	l->precision = o->precision;
	l->tf32 = o->tf32;
	l->deterministic = o->deterministic;
}

int kb_session_device_open(struct kb_session *s, struct kb_err *err)
{
	struct kb_session_device *d = &s->machine.gpu;
	const struct kb_cuda_device *device;
	struct kb_err why = KB_ERR_INIT;
	int ret;

	if (!d->is_cuda)
		return 0;
	ret = read_salt(d, s->asked.salt_file, err);
	if (ret >= 0)
		ret = kb_cuda_open(&d->gpu.cuda, d->ordinal, err);
	if (ret < 0)
		return ret;
	device = kb_cuda_device(d->gpu.cuda);
	/* By UUID: NVML counts all GPUs of the machine, the CUDA driver those
	 * that CUDA_VISIBLE_DEVICES leaves, in an order of its own. */
	if (kb_nvml_open(&d->gpu.nvml, device->uuid, &why) < 0)
		d->why_no_nvml = kb_xstrdup(why.msg);
	ret = kb_cuda_free_bytes(d->gpu.cuda, &d->free_bytes, err);
	if (ret < 0)
		return ret;
	d->gpu.xids = kb_xids_open(d->gpu.nvml);
	ret = kb_gpu_health_look(&d->health, d->gpu.nvml, err);
	if (ret < 0)
		return ret;
	set_policy(&s->run.policy, &s->asked, device->memory_bytes);
	set_launcher(&s->machine.launcher, &s->asked, device);
	return 0;
}

/* False if it is too late to wait on. */
static bool wait_until(int64_t deadline_ns)
{
	const struct timespec moment = { .tv_nsec = 20 * KB_NS_PER_MS };

	if (kb_awake_ns() >= deadline_ns)
		return false;
	kb_pause_begin();
	(void)nanosleep(&moment, NULL);
	kb_pause_look();
	return true;
}

static int check_health(const struct kb_session_device *d, struct kb_err *err)
{
	const int64_t deadline_ns = kb_awake_ns() + kb_patience.give_back_ns;
	struct kb_gpu_health now;
	int ret;

	do
		ret = kb_gpu_health_look(&now, d->gpu.nvml, err);
	while (ret >= 0 && kb_gpu_health_may_mend(&d->health, &now) &&
	       wait_until(deadline_ns));
	return ret < 0 ? ret : kb_gpu_health_compare(&d->health, &now, err);
}

int kb_session_device_check(const struct kb_session *s, struct kb_err *err)
{
	const struct kb_session_device *d = &s->machine.gpu;
	int ret;

	if (!d->is_cuda)
		return 0;
	kb_xids_read(d->gpu.xids);
	ret = kb_xids_check(d->gpu.xids, err);
	return ret < 0 ? ret : check_health(d, err);
}

/* So much more may be taken by the supervisor itself, by other programs, or by a
 * display. */
static uint64_t grace_bytes(const struct kb_session_device *d)
{
	return kb_cuda_device(d->gpu.cuda)->memory_bytes /
	       KB_GIVEN_BACK_SHARE;
}

int kb_session_device_check_alone(const struct kb_session *s,
				  struct kb_err *err)
{
	const struct kb_session_device *d = &s->machine.gpu;
	const int64_t deadline_ns = kb_awake_ns() + kb_patience.give_back_ns;
	uint64_t free_bytes = 0;
	int ret;

	if (!d->is_cuda)
		return 0;
	do
		ret = kb_cuda_free_bytes(d->gpu.cuda, &free_bytes, err);
	while (ret >= 0 && free_bytes + grace_bytes(d) < d->free_bytes &&
	       wait_until(deadline_ns));
	if (ret < 0 || free_bytes + grace_bytes(d) >= d->free_bytes)
		return ret;
	return kb_err(err, KB_ERR_DEVICE,
		      "the GPU stays occupied: %llu MiB of its memory are not "
		      "given back, and no process of this run is on it",
		      (unsigned long long)((d->free_bytes - free_bytes) / MIB));
}

void kb_session_device_close(struct kb_session_device *d)
{
	kb_xids_close(d->gpu.xids);
	kb_nvml_close(d->gpu.nvml);
	kb_cuda_close(d->gpu.cuda);
	free(d->why_no_nvml);
	free(d->salt);
	*d = (struct kb_session_device)KB_SESSION_DEVICE_INIT;
}

const struct kb_gpu *kb_session_gpu(const struct kb_session *s)
{
	return s->machine.gpu.is_cuda ? &s->machine.gpu.gpu : NULL;
}

struct kb_json *kb_session_device_environment(const struct kb_session *s)
{
	const struct kb_session_device *d = &s->machine.gpu;
	const struct kb_cuda_facts_options options = { .salt = d->salt };

	if (!d->is_cuda)
		return kb_environment_cpu();
	return kb_environment_cuda(kb_cuda_device(d->gpu.cuda), d->gpu.nvml,
				   d->why_no_nvml, &options);
}

/* Libraries that the runtime has loaded; null is one it has not. */
static const char *const libraries[][2] = {
	{ "runtime_version", "torch_cuda_runtime_version" },
	{ "cublas_version", "torch_cublas_version" },
	{ "cudnn_version", "torch_cudnn_version" },
	{ "nvrtc_version", "torch_nvrtc_version" },
};

static struct kb_json *library_fact(const struct kb_json *facts,
				    const char *member)
{
	const struct kb_json *v = facts ? kb_json_find(facts, member) : NULL;

	if (!facts)
		return kb_unavailable("torch is not used");
	if (!v || kb_json_type(v) == KB_JSON_NULL)
		return kb_unavailable("not part of this installation");
	return kb_json_copy(v);
}

int kb_session_device_note_cuda(struct kb_session *s,
				struct kb_json *environment,
				const struct kb_json *facts,
				struct kb_err *err)
{
	kb_auto(buf) struct kb_buf nvcc = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	struct kb_json *section;
	int ret;

	if (!s->machine.gpu.is_cuda)
		return 0;
	ret = kb_launch_nvcc_version(&nvcc, &s->machine.launcher, &why);
	if (ret < 0 && ret != -KB_ERR_MISSING)
		return kb_err_take(err, &why);
	section = kb_json_object();
	for (size_t i = 0; i < KB_ARRAY_LEN(libraries); i++)
		kb_json_set(section, libraries[i][0],
			    library_fact(facts, libraries[i][1]));
	kb_json_set(section, "nvcc_version",
		    ret < 0 ? kb_unavailable(why.msg)
			    : kb_json_string(nvcc.data));
	kb_json_set(environment, "cuda", section);
	return 0;
}
