#ifndef KB_WORKER_LAUNCH_H
#define KB_WORKER_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "confine/root.h"
#include "confine/scratch.h"
#include "manifest/key.h"
#include "source/runtime.h"
#include "worker/server.h"
#include "worker/worker.h"

struct kb_buf;
struct kb_err;
struct kb_json;
struct kb_kept;
struct kb_preparations;
struct kb_tolerance;

/*
 * From source text to a running worker: files put in a scratch directory,
 * compiled if need be, and the right program started on them with the
 * right limits. Problem and candidate are given as bytes, because that is
 * what was hashed.
 */

/* A worker with what must outlive it. */
struct kb_launched {
	struct kb_worker worker;
	struct kb_scratch_dir dir;
	int program_fd;			/* compiled code, or -1 */
	const struct kb_kept *built;	/* what it begins with, borrowed while
					   it is started; or NULL */
	bool other_user;		/* it is KB_WORKER_UID's, if it is asked
					   for */
};

#define KB_LAUNCHED_INIT { .worker = KB_WORKER_INIT, .program_fd = -1 }

#define KB_CLOSED_MAX 3

/* The common part of all workers of a run. */
struct kb_launcher {
	struct kb_scratch scratch;
	struct kb_cgroups groups;
	char *libexec;			/* directory of our worker programs */
	char *python;			/* absolute path, or NULL */
	bool python_is_settled;		/* named, or looked for: see
					   worker/python.h */
	char *python_tried;		/* what has no torch, for a message, or
					   NULL */
	char *cc;			/* absolute path, or NULL */
	char *nvcc;			/* absolute path, or NULL */
	bool unconfined;		/* nothing but limits holds workers */
	char *other_user_why_not;	/* reason, or NULL if workers run as
					   KB_WORKER_UID */
	char **tmp_kept;		/* see confine/private_tmp.h */
	struct kb_root root;		/* of workers: see worker/view.h */
	bool root_is_planned;
	const char *closed[KB_CLOSED_MAX];	/* directories that no worker
						   sees; borrowed, or NULL */
	char *weights;			/* KB_WEIGHTS of workers: an absolute
					   path, or NULL */
	uint64_t memory_bytes;		/* of a worker, beside tensor slots */
	size_t log_limit_bytes;
	int64_t load_timeout_ns;	/* building, loading */
	int64_t run_timeout_ns;		/* one run */
	int64_t quiet_build_ns;		/* building Python, with no compiler
					   at work; 0: load_timeout_ns */
	int threads;			/* OMP_NUM_THREADS and the like */
	int max_jobs;			/* MAX_JOBS, if it is not that many */
	uint32_t features;		/* in force for the last worker */
	uint32_t granted;		/* and for any since the user and the
					   root were chosen */

	/* Workers on a CUDA device; of the rest only the torch runtime needs
	 * all, by the names of its options. NULL: its default. */
	bool cuda;
	char *cuda_visible;		/* CUDA_VISIBLE_DEVICES of workers */
	int cuda_arch;			/* 90 for compute capability 9.0 */
	char *gpu_facts;		/* what builds, which see no device, are
					   told of it: JSON; or NULL */
	const char *precision, *tf32, *deterministic;	/* borrowed */
	const char *candidate_weights;	/* "reference" or "own"; borrowed */
	const char *mode;		/* of a reference; borrowed */
	const char *conventions;	/* the suite's, or NULL; borrowed */
	uint32_t ranks;			/* of each worker, by the suite */
	const struct kb_suite_module *suite_modules;	/* the suite's;
							   borrowed */
	size_t suite_module_count;

	const struct kb_preparations *prepared;	/* borrowed; or NULL */
	const char *headers;		/* where builds find KB_HEADERS_FILES;
					   borrowed; or NULL */

	uint32_t modules;		/* of `server`, set before the first
					   program: bit (1 << enum kb_module) */
	struct kb_server server;
	struct kb_launched leaving;	/* by kb_launched_leave() */
};

#define KB_LAUNCHER_INIT { .ranks = 1, .scratch = KB_SCRATCH_INIT, \
			   .groups = KB_CGROUPS_INIT, \
			   .server = KB_SERVER_INIT, \
			   .leaving = KB_LAUNCHED_INIT }

/*
 * Find programs and make the scratch root. `python`, `cc` and `nvcc` may be
 * NULL or "": then KB_PYTHON or python3, cc and nvcc, from PATH, or nvcc where the
 * CUDA toolkit is; not finding them is an error only when they are needed.
 * For a Python with torch see worker/python.h.
 * The numbers, and all about CUDA, are set by the caller. Fails with
 * KB_ERR_SYS, KB_ERR_MISSING.
 */
int kb_launcher_init(struct kb_launcher *l, const char *python,
		     const char *cc, const char *nvcc, struct kb_err *err);

/*
 * Decide, before the first worker, whether workers run as another user:
 * they do if the supervisor is root and other users can reach the scratch
 * root and the programs of the runtimes that will be used; `native` stands
 * for that of the launcher's device.
 */
void kb_launcher_choose_user(struct kb_launcher *l, bool torch, bool native);

/* The first directory that others may not enter on the way to `path`, or to
 * where it leads if it is a link; the caller's. NULL if there is none. */
char *kb_launch_barrier(const char *path);
void kb_launcher_release(struct kb_launcher *l);

static inline void kb_cleanup_launcher(struct kb_launcher *l)
{
	kb_launcher_release(l);
}

#define KB_NO_LIMIT UINT64_MAX

struct kb_source {
	enum kb_runtime runtime;
	const void *data;
	size_t len;
	const char *alternate;	/* of a problem, as worker/protocol.h has it,
				   or NULL */
	const struct kb_tolerance *stated;	/* of a problem: the suite's own
				   tolerance, or NULL; borrowed */
};

/* The code that a worker is started with; all borrowed for the call. */
struct kb_launch_spec {
	const struct kb_source *problem;
	const struct kb_source *candidate;	/* NULL for a reference */
	bool is_screened;	/* a candidate that is not timed, beside others */
	uint64_t slot_bytes;	/* tensor memory that it will map, or
				   KB_NO_LIMIT: its memory is not limited */
};

/*
 * Build and start. The worker has not been asked to load yet: see
 * kb_launched_load().
 *
 * Returns 1; 0 if the code cannot be built (`fault` says how, what the
 * compiler said is appended to `log`); or fails with KB_ERR_SYS,
 * KB_ERR_MISSING (no Python, no compiler), KB_ERR_INTERRUPTED.
 */
int kb_launch(struct kb_launched *out, struct kb_launcher *l,
	      const struct kb_launch_spec *spec, struct kb_buf *log,
	      struct kb_fault *fault, struct kb_err *err);

/* kb_worker_load() with the right descriptors. `of_ranks`: each rank's plan and
 * state. */
int kb_launched_load(struct kb_launched *x, const uint8_t seed[KB_SEED_BYTES],
		     const int of_ranks[], struct kb_fault *fault,
		     struct kb_err *err);

/* Kills what runs; fine on KB_LAUNCHED_INIT. Returns how much processor time it
 * had, with all that it started. */
int64_t kb_launched_end(struct kb_launched *x);

/* Kill what runs, without waiting until it is gone, which takes long for a worker with
 * a device. The next call waits for that, and kb_launcher_release(). */
void kb_launched_leave(struct kb_launched *x, struct kb_launcher *l);

/*
 * The facts about the interpreter and its torch, from the torch runtime run
 * confined like any worker: an object, which the caller frees. Fails with
 * KB_ERR_MISSING if there is no Python, or it does not answer; one without
 * torch answers.
 */
int kb_launch_torch_facts(struct kb_json **out, struct kb_launcher *l,
			  struct kb_err *err);

/* First line of `cc --version`; what `nvcc --version` says of its release,
 * "13.0.88"; appended to `out`. As above. */
int kb_launch_compiler_version(struct kb_buf *out, struct kb_launcher *l,
			       struct kb_err *err);
int kb_launch_nvcc_version(struct kb_buf *out, struct kb_launcher *l,
			   struct kb_err *err);

/* The fixed command line of native builds for the launcher's device as one
 * string, for a record; the caller frees. */
char *kb_native_build_flags(const struct kb_launcher *l);

#endif
