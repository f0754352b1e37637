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
#include "manifest/policy_options.h"
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
		      "option '--device' needs cpu or a GPU such as cuda:0, not "
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
	d->number = 0;
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
	if (d->count < s->machine.launcher.ranks)
		return kb_err(err, KB_ERR_MISSING,
			      "there are %zu GPUs, and %u ranks need one each",
			      d->count, s->machine.launcher.ranks);
	return 0;
}

void kb_session_device_name(char out[KB_SESSION_DEVICE_NAME_SIZE],
			    const struct kb_session *s, size_t number)
{
	if (s->machine.gpu.is_cuda)
		snprintf(out, KB_SESSION_DEVICE_NAME_SIZE, "cuda:%d",
			 s->machine.gpu.ordinals[number *
						s->machine.launcher.ranks]);
	else
		snprintf(out, KB_SESSION_DEVICE_NAME_SIZE, "cpu");
}

int kb_session_device_parse(struct kb_session *s, struct kb_err *err)
{
	const struct kb_session_options *o = &s->asked;
	int ret = parse_name(&s->machine.gpu, o->device, err);

	/* When a record is measured again, the options have no precision. */
	if (!o->precision)
		s->asked.precision = "fp32";
	if (ret >= 0)
		ret = kb_option_check_word("precision", o->precision,
					   kb_precision_words, err);
	if (ret >= 0 && o->tf32)
		ret = kb_option_check_word("tf32", o->tf32,
					   kb_tf32_words, err);
	if (ret >= 0)
		ret = kb_option_check_word("deterministic", o->deterministic,
					   kb_switch_words, err);
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

/* The devices of the ranks, for CUDA_VISIBLE_DEVICES. */
static char *visible_of(struct kb_cuda *cuda, uint32_t ranks)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	for (uint32_t i = 0; i < ranks; i++) {
		char uuid[KB_NVML_UUID_SIZE];

		kb_nvml_uuid_format(uuid, kb_cuda_device(
			kb_cuda_of_rank(cuda, i))->uuid);
		kb_buf_addf(&text, "%s%s", i ? "," : "", uuid);
	}
	return kb_buf_detach(&text);
}

static void set_launcher(struct kb_launcher *l,
			 const struct kb_session_options *o,
			 struct kb_cuda *cuda)
{
	const struct kb_cuda_device *d = kb_cuda_device(cuda);

	l->cuda = true;
	free(l->cuda_visible);
	l->cuda_visible = visible_of(cuda, l->ranks);
	l->cuda_arch = 10 * d->capability_major + d->capability_minor;
	l->precision = o->precision;
	l->tf32 = o->tf32;
	l->deterministic = o->deterministic;
}

/* The slowest GPU would be the time of all. */
static int check_alike(const struct kb_cuda_device *a,
		       const struct kb_cuda_device *b, struct kb_err *err)
{
	if (!strcmp(a->name, b->name) &&
	    a->multiprocessors == b->multiprocessors &&
	    a->memory_bytes == b->memory_bytes)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "'%s' and '%s' cannot share ranks: name GPUs of one kind",
		      a->name, b->name);
}

static int open_further(struct kb_session_device *d, uint32_t ranks,
			struct kb_err *err)
{
	int ret = 0;

	for (uint32_t i = 1; i < ranks && ret >= 0; i++) {
		const struct kb_cuda_device *device =
			kb_cuda_device(kb_cuda_of_rank(d->gpu.cuda, i));

		ret = check_alike(kb_cuda_device(d->gpu.cuda), device, err);
		if (ret < 0)
			return ret;
		(void)kb_nvml_open(&d->further[i - 1].nvml, device->uuid, NULL);
		d->further[i - 1].xids = kb_xids_open(d->further[i - 1].nvml);
		ret = kb_gpu_health_look(&d->further[i - 1].health,
					 d->further[i - 1].nvml, err);
	}
	return ret;
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
		ret = kb_cuda_open_group(&d->gpu.cuda, d->ordinals + d->number,
					 s->machine.launcher.ranks, err);
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
	if (ret >= 0)
		ret = open_further(d, s->machine.launcher.ranks, err);
	if (ret < 0)
		return ret;
	set_policy(&s->run.policy, &s->asked, device->memory_bytes);
	set_launcher(&s->machine.launcher, &s->asked, d->gpu.cuda);
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

static int check_one(struct kb_xids *xids, const struct kb_nvml *nvml,
		     const struct kb_gpu_health *before, struct kb_err *err)
{
	const int64_t deadline_ns = kb_awake_ns() + kb_patience.give_back_ns;
	struct kb_gpu_health now;
	int ret;

	kb_xids_read(xids);
	ret = kb_xids_check(xids, err);
	if (ret < 0)
		return ret;
	do
		ret = kb_gpu_health_look(&now, nvml, err);
	while (ret >= 0 && kb_gpu_health_may_mend(before, &now) &&
	       wait_until(deadline_ns));
	return ret < 0 ? ret : kb_gpu_health_compare(before, &now, err);
}

int kb_session_device_check(const struct kb_session *s, struct kb_err *err)
{
	const struct kb_session_device *d = &s->machine.gpu;
	int ret;

	if (!d->is_cuda)
		return 0;
	ret = check_one(d->gpu.xids, d->gpu.nvml, &d->health, err);
	for (uint32_t i = 1; i < s->machine.launcher.ranks && ret >= 0; i++)
		ret = check_one(d->further[i - 1].xids, d->further[i - 1].nvml,
				&d->further[i - 1].health, err);
	return ret;
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
	for (size_t i = 0; i < KB_ARRAY_LEN(d->further); i++) {
		kb_xids_close(d->further[i].xids);
		kb_nvml_close(d->further[i].nvml);
	}
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

/* NVLink counts where it joins each pair. */
static void find_links(const struct kb_session_device *d, uint32_t ranks,
		       struct kb_cuda_facts_options *options,
		       struct kb_err *why)
{
	const struct kb_nvml *nvml[KB_RANKS_MAX] = { d->gpu.nvml };
	bool has = true;

	options->links = "nvlink";
	for (uint32_t i = 1; i < ranks; i++)
		nvml[i] = d->further[i - 1].nvml;
	for (uint32_t i = 0; i < ranks * ranks; i++) {
		const struct kb_nvml *a = nvml[i / ranks], *b = nvml[i % ranks];

		if (i / ranks >= i % ranks)
			continue;
		if (!a || !b)
			kb_err(why, KB_ERR_MISSING, "NVML does not know a GPU");
		if (!a || !b || kb_nvml_has_nvlink(a, b, &has, why) < 0) {
			options->links = NULL;
			options->why_no_links = why->msg;
			return;
		}
		if (!has)
			options->links = "pcie";
	}
}

struct kb_json *kb_session_device_environment(const struct kb_session *s)
{
	const struct kb_session_device *d = &s->machine.gpu;
	struct kb_cuda_facts_options options = { .salt = d->salt };
	struct kb_err why = KB_ERR_INIT;

	if (!d->is_cuda)
		return kb_environment_cpu();
	if (s->machine.launcher.ranks > 1)
		find_links(d, s->machine.launcher.ranks, &options, &why);
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
