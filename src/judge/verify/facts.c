#include "verify/facts.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/provenance.h"
#include "store/quote.h"
#include "verify/checks.h"

#define add(c, ...)							\
	kb_checks_add(c, KB_LAYER_ARITHMETIC, "facts", KB_ANSWER_NO, __VA_ARGS__)

/* --- types ------------------------------------------------------------ */

#define INT KB_JSON_INT
#define TEXT KB_JSON_STRING
#define BOOL KB_JSON_BOOL

/* As kb-manifest(5) lists them. Those of a later release may be others. */
static const struct fact {
	const char *section, *name;
	enum kb_json_type type;
	bool is_always;			/* known, if its section is there */
} facts[] = {
	{ "device", "kind", TEXT, true },
	{ "device", "memory_bytes", INT, false },
	{ "device", "host_memory_bytes", INT, false },
	{ "cpu", "vendor", TEXT, false },
	{ "cpu", "model", TEXT, false },
	{ "cpu", "family", TEXT, false },
	{ "cpu", "model_number", TEXT, false },
	{ "cpu", "stepping", TEXT, false },
	{ "cpu", "microcode", TEXT, false },
	{ "cpu", "cores_online", INT, false },
	{ "cpu", "cores_allowed", INT, false },
	{ "cpu", "smt", BOOL, false },
	{ "cpu", "l1d_cache_bytes", INT, false },
	{ "cpu", "l2_cache_bytes", INT, false },
	{ "cpu", "l3_cache_bytes", INT, false },
	{ "cpu", "governor", TEXT, false },
	{ "cpu", "boost", BOOL, false },
	{ "cpu", "max_clock_khz", INT, false },
	{ "os", "kernel", TEXT, true },
	{ "os", "machine", TEXT, true },
	{ "os", "page_bytes", INT, true },
	{ "os", "libc", TEXT, true },
	{ "os", "distribution", TEXT, false },
	{ "os", "transparent_hugepages", TEXT, false },
	{ "os", "load_average_1min_milli", INT, false },
	{ "os", "begun_utc", TEXT, false },
	{ "python", "path", TEXT, false },
	{ "python", "version", TEXT, false },
	{ "python", "implementation", TEXT, false },
	{ "python", "numpy_version", TEXT, false },
	{ "torch", "version", TEXT, false },
	{ "torch", "cuda_version", TEXT, false },
	{ "torch", "cudnn_version", INT, false },
	{ "torch", "threads_count", INT, false },
	{ "torch", "build", TEXT, false },
	{ "torch", "parallel", TEXT, false },
	{ "torch", "triton_version", TEXT, false },
	{ "torch", "helion_version", TEXT, false },
	{ "torch", "tilelang_version", TEXT, false },
	{ "torch", "apache_tvm_ffi_version", TEXT, false },
	{ "torch", "nvidia_cutlass_dsl_version", TEXT, false },
	{ "torch", "cuda_tile_version", TEXT, false },
	{ "torch", "cupy_version", TEXT, false },
	{ "torch", "thunderkittens_commit", TEXT, false },
	{ "torch", "transformers_version", TEXT, false },
	{ "torch", "precision", TEXT, true },
	{ "torch", "tf32", TEXT, true },
	{ "torch", "deterministic", TEXT, true },
	{ "torch", "weights_files_count", INT, false },
	{ "torch", "weights_bytes", INT, false },
	{ "torch", "weights_sha256", TEXT, false },
	{ "compiler", "path", TEXT, false },
	{ "compiler", "version", TEXT, false },
	{ "gpu", "name", TEXT, true },
	{ "gpu", "uuid", TEXT, false },
	{ "gpu", "pci_bus_id", TEXT, false },
	{ "gpu", "compute_capability", TEXT, true },
	{ "gpu", "multiprocessors", INT, true },
	{ "gpu", "memory_bytes", INT, true },
	{ "gpu", "l2_cache_bytes", INT, false },
	{ "gpu", "serial", TEXT, false },
	{ "gpu", "vbios", TEXT, false },
	{ "gpu", "inforom", TEXT, false },
	{ "gpu", "board_part_number", TEXT, false },
	{ "gpu", "gsp_firmware", TEXT, false },
	{ "gpu", "memory_bus_width_bits", INT, false },
	{ "gpu", "ecc", BOOL, false },
	{ "gpu", "mig", BOOL, false },
	{ "gpu", "persistence", BOOL, false },
	{ "gpu", "compute_mode", TEXT, false },
	{ "gpu", "power_limit_mw", INT, false },
	{ "gpu", "power_default_limit_mw", INT, false },
	{ "gpu", "max_sm_clock_mhz", INT, false },
	{ "gpu", "max_memory_clock_mhz", INT, false },
	{ "gpu", "pcie_generation", INT, false },
	{ "gpu", "pcie_generation_max", INT, false },
	{ "gpu", "pcie_width", INT, false },
	{ "gpu", "links", TEXT, false },
	{ "gpu", "other_processes", INT, false },
	{ "driver", "version", TEXT, false },
	{ "driver", "cuda_version", TEXT, false },
	{ "driver", "nvml_version", TEXT, false },
	{ "cuda", "runtime_version", TEXT, false },
	{ "cuda", "cublas_version", TEXT, false },
	{ "cuda", "cudnn_version", INT, false },
	{ "cuda", "nvrtc_version", TEXT, false },
	{ "cuda", "nvcc_version", TEXT, false },
};

static const struct kb_json *find_fact(const struct kb_json *environment,
				       const char *section, const char *name)
{
	const struct kb_json *v = kb_json_find(environment, section);

	return v ? kb_json_find(v, name) : NULL;
}

static void check_type(struct kb_checks *c, const struct kb_json *environment,
		       const struct fact *f)
{
	const struct kb_json *v = find_fact(environment, f->section, f->name);

	if (!v || kb_json_type(v) == f->type)
		return;
	if (!kb_is_unavailable(v))
		add(c, "'%s.%s' is not %s", f->section, f->name,
		    kb_json_type_name(f->type));
	else if (f->is_always)
		add(c, "'%s.%s' is called unavailable, and can always be had",
		    f->section, f->name);
}

/* Numbers of things of which every machine has one at least. */
static const char *const some[][2] = {
	{ "device", "memory_bytes" }, { "device", "host_memory_bytes" },
	{ "cpu", "cores_online" }, { "cpu", "cores_allowed" },
	{ "os", "page_bytes" }, { "torch", "threads_count" },
	{ "gpu", "multiprocessors" }, { "gpu", "memory_bytes" },
};

static int64_t least_of(const struct fact *f)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(some); i++)
		if (!strcmp(f->section, some[i][0]) &&
		    !strcmp(f->name, some[i][1]))
			return 1;
	return 0;
}

static void check_least(struct kb_checks *c, const struct kb_json *environment,
			const struct fact *f)
{
	const struct kb_json *v = find_fact(environment, f->section, f->name);

	if (v && kb_json_type(v) == KB_JSON_INT &&
	    kb_json_int_value(v) < least_of(f))
		add(c, "'%s.%s' is %" PRId64 ", below %" PRId64, f->section,
		    f->name, kb_json_int_value(v), least_of(f));
}

/* The date must be one that exists. Nothing else can be checked: no other
 * member of a record depends on it. */
static void check_date(struct kb_checks *c, const struct kb_json *environment)
{
	const struct kb_json *v = find_fact(environment, "os", "begun_utc");
	const char *text = v && kb_json_type(v) == KB_JSON_STRING ?
		kb_json_string_value(v) : NULL;

	if (text && (!kb_time_valid(text) || !kb_day_exists(text)))
		add(c, "'os.begun_utc' is '%s', not a time such as '%s'",
		    kb_quote_str(text).text, KB_TIME_EXAMPLE);
}

/* --- told twice ------------------------------------------------------- */

/* On a CUDA device; on a CPU there is but one of each. */
static const char *const told_twice[] = {
	"precision", "tf32", "deterministic",
};

/* Where there is no torch, only the policy tells them. */
static void check_told_twice(struct kb_checks *c,
			     const struct kb_conditions *k)
{
	const struct kb_json *torch = kb_json_find(k->environment, "torch");

	if (!torch || kb_json_find(torch, "unavailable"))
		return;
	for (size_t i = 0; i < KB_ARRAY_LEN(told_twice); i++) {
		const char *of_policy = kb_json_text(k->policy, told_twice[i]);
		const char *of_torch = kb_json_text(torch, told_twice[i]);

		if (of_policy && of_torch && strcmp(of_policy, of_torch))
			add(c, "'policy.%s' is '%s', and "
			    "'environment.torch.%s' '%s'", told_twice[i],
			    of_policy, told_twice[i], of_torch);
	}
}

/* Numbers of which one is also the other, or at most the other. A container may be
 * told of fewer cores than it may use: lxcfs tells as many as its quota of time. */
static const struct pair {
	const char *section, *name;
	const char *of_section, *of_name;
	bool is_same;
} pairs[] = {
	{ "device", "memory_bytes", "gpu", "memory_bytes", true },
	{ "torch", "cudnn_version", "cuda", "cudnn_version", true },
	{ "gpu", "pcie_generation", "gpu", "pcie_generation_max", false },
};

static void refuse_pair(struct kb_checks *c, const struct pair *p, int64_t n,
			int64_t of)
{
	add(c, "'%s.%s' is %" PRId64 ", and '%s.%s' is %" PRId64, p->section,
	    p->name, n, p->of_section, p->of_name, of);
}

static void check_pair(struct kb_checks *c, const struct kb_json *environment,
		       const struct pair *p)
{
	const struct kb_json *v = find_fact(environment, p->section, p->name);
	const struct kb_json *of = find_fact(environment, p->of_section,
					     p->of_name);
	int64_t n, of_n;

	if (!v || !of || kb_json_type(v) != KB_JSON_INT ||
	    kb_json_type(of) != KB_JSON_INT)
		return;
	n = kb_json_int_value(v);
	of_n = kb_json_int_value(of);
	if (p->is_same ? n != of_n : n > of_n)
		refuse_pair(c, p, n, of_n);
}

/* torch is told how many threads it may use. It uses fewer where a library knows
 * of fewer cores, and never more. */
static void check_threads(struct kb_checks *c, const struct kb_conditions *k)
{
	const struct kb_json *v = find_fact(k->environment, "torch",
					    "threads_count");
	const int64_t told = kb_json_int_or(k->policy, "threads", INT64_MAX);

	if (v && kb_json_type(v) == KB_JSON_INT && kb_json_int_value(v) > told)
		add(c, "'torch.threads_count' is %" PRId64 ", and "
		    "'policy.threads' is %" PRId64, kb_json_int_value(v), told);
}

/* Only a commit can be modified, and each is or is not. */
static void check_commit(struct kb_checks *c, const struct kb_json *tool)
{
	const struct kb_json *dirty = kb_json_find(tool, "git_dirty");

	if (dirty && (kb_json_type(dirty) == KB_JSON_BOOL) !=
			     (kb_json_text(tool, "git_commit") != NULL))
		add(c, "'tool.git_dirty' does not go with 'tool.git_commit'");
}

/* --- isolation -------------------------------------------------------- */

/* As src/run/confine/features.c names them. */
static const struct means {
	const char *name;
	bool is_old;			/* every release records it */
	bool is_group;			/* a limit, which "off" leaves */
	bool is_roots;			/* "strict" can do without, but as root */
} means[] = {
	{ "pid_namespace", true, false, false },
	{ "net_namespace", true, false, false },
	{ "ipc_namespace", true, false, false },
	{ "own_root", false, false, false },
	{ "private_proc", true, false, false },
	{ "read_only_files", true, false, false },
	{ "private_shm", true, false, false },
	{ "private_tmp", true, false, false },
	{ "other_user", true, false, true },
	{ "landlock", false, false, false },
	{ "syscall_filter", true, false, false },
	{ "cgroup_memory", false, true, false },
	{ "cgroup_pids", false, true, false },
};

/* NULL: standard, under which each means may be in force or not. */
static void check_means(struct kb_checks *c, const struct kb_json *isolation,
			const struct means *m, const char *sandbox)
{
	const struct kb_json *v = kb_json_find(isolation, m->name);
	const bool is_there = v && kb_json_type(v) == KB_JSON_BOOL;
	const bool is_in_force = is_there && kb_json_bool_value(v);

	if (v ? !is_there : m->is_old)
		add(c, "'isolation.%s' is not %s", m->name,
		    kb_json_type_name(KB_JSON_BOOL));
	else if (sandbox && !strcmp(sandbox, "strict") && !is_in_force &&
		 !m->is_roots)
		add(c, "the sandbox is 'strict', and '%s' is not in force",
		    m->name);
	else if (sandbox && !strcmp(sandbox, "off") && is_in_force &&
		 !m->is_group)
		add(c, "the sandbox is 'off', and '%s' is in force", m->name);
}

/* Under "standard" a means may be missing, and then it is worth to be read; but an
 * ordinary user's workers are always of that user. */
static void note_missing(struct kb_checks *c, const struct kb_json *isolation)
{
	kb_auto(buf) struct kb_buf missing = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(means); i++) {
		const struct kb_json *v = kb_json_find(isolation,
						       means[i].name);

		if (means[i].is_old && !means[i].is_roots && v &&
		    kb_json_type(v) == KB_JSON_BOOL && !kb_json_bool_value(v))
			kb_buf_addf(&missing, "%s%s", missing.len ? ", " : "",
				    means[i].name);
	}
	if (missing.len)
		kb_checks_add(c, KB_LAYER_ARITHMETIC, "isolation",
			      KB_ANSWER_NOTE, "the sandbox is 'standard', "
			      "without %s", missing.data);
}

/* A reason why something is not in force belongs to no means that is. */
static void check_reasons(struct kb_checks *c, const struct kb_json *isolation)
{
	static const char *const reasons[][2] = {
		{ "other_user_why_not", "other_user" },
		{ "cgroup_why_not", "cgroup_memory" },
		{ "cgroup_why_not", "cgroup_pids" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(reasons); i++) {
		const struct kb_json *v = kb_json_find(isolation,
						       reasons[i][1]);

		if (kb_json_find(isolation, reasons[i][0]) && v &&
		    kb_json_type(v) == KB_JSON_BOOL && kb_json_bool_value(v))
			add(c, "'isolation.%s' is there, and '%s' is in force",
			    reasons[i][0], reasons[i][1]);
	}
}

/* Others that compute on the GPU take from each time what they like. */
static void note_others(struct kb_checks *c, const struct kb_json *environment)
{
	const struct kb_json *v =
		find_fact(environment, "gpu", "other_processes");

	if (v && kb_json_type(v) == KB_JSON_INT && kb_json_int_value(v) > 0)
		kb_checks_add(c, KB_LAYER_ARITHMETIC, "others", KB_ANSWER_NOTE,
			      "other processes on the GPU: %" PRId64,
			      kb_json_int_value(v));
}

static void check_isolation(struct kb_checks *c, const struct kb_conditions *k)
{
	const struct kb_json *isolation = kb_json_find(k->environment,
						       "isolation");

	if (!isolation) {
		add(c, "there is no 'isolation' in the environment");
		return;
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(means); i++)
		check_means(c, isolation, &means[i],
			    kb_json_text(k->policy, "sandbox"));
	check_reasons(c, isolation);
	if (!kb_json_text(k->policy, "sandbox"))
		note_missing(c, isolation);
}

void kb_facts_verify(struct kb_checks *c, const struct kb_conditions *k,
		     bool is_cuda)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(facts); i++) {
		check_type(c, k->environment, &facts[i]);
		check_least(c, k->environment, &facts[i]);
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(pairs); i++)
		check_pair(c, k->environment, &pairs[i]);
	check_date(c, k->environment);
	check_threads(c, k);
	check_commit(c, k->tool);
	if (is_cuda)
		check_told_twice(c, k);
	check_isolation(c, k);
	note_others(c, k->environment);
	if (!kb_checks_count(c, "facts", KB_ANSWER_NO))
		kb_checks_add(c, KB_LAYER_ARITHMETIC, "facts", KB_ANSWER_OK,
			      "each is told once, or the same twice");
}
