#ifndef KB_TESTS_RUNTIME_TORCH_RIG_H
#define KB_TESTS_RUNTIME_TORCH_RIG_H

/* Workers of the torch runtime, for its tests, which are skipped without torch. */

#include <stdlib.h>

#include "base/alloc.h"
#include "lib/tap.h"
#include "supervise.h"

static inline const char *python(void)
{
	const char *name = getenv("KB_PYTHON");

	return name && *name ? name : "python3";
}

/* Before main(), which is tap.h's. */
static void __attribute__((constructor)) skip_without_torch(void)
{
	char *program = source_path("../lib/has-torch");
	char *command = kb_xasprintf("'%s' '%s'", program, python());

	if (system(command) != 0) {
		printf("1..0 # SKIP '%s' has no torch\n", python());
		exit(0);
	}
	free(command);
	free(program);
}

/* `candidate` is NULL for a reference, `problem` is "-" if it is native;
 * `option` may have a value, or be NULL. */
static inline void start_with(struct worker *w, const char *option,
			      const char *value, const char *problem,
			      const char *candidate)
{
	char *program = libexec_path("kb_torch.py");
	char *library = libexec_path("libkbrt.so");
	char *problem_path = strcmp(problem, "-") ? source_path(problem)
						  : kb_xstrdup("-");
	char *candidate_path = candidate ? source_path(candidate) : NULL;
	const char *argv[10] = { program };
	size_t n = 1;

	if (option)
		argv[n++] = option;
	if (value)
		argv[n++] = value;
	argv[n++] = library;
	argv[n++] = candidate ? "candidate" : "reference";
	argv[n++] = problem_path;
	argv[n++] = candidate_path;
	worker_start_script(w, python(), argv);
	free(program);
	free(library);
	free(problem_path);
	free(candidate_path);
}

static inline void start(struct worker *w, const char *problem,
			 const char *candidate)
{
	start_with(w, NULL, NULL, problem, candidate);
}

static inline void check_log(const struct worker *w, const char *text)
{
	char *log = worker_log(w);

	if (!strstr(log, text))
		tap_fail("the log is \"%s\", want \"%s\" in it", log, text);
	free(log);
}

static inline void check_loaded(const struct worker *w, uint32_t code)
{
	char *log = worker_log(w);

	if (code != KB_ACK_OK)
		tap_fail("loading gave %u: %s", code, log);
	free(log);
}

static inline void start_reference(struct worker *w, const char *problem,
				   uint32_t slots)
{
	start(w, problem, NULL);
	check_loaded(w, worker_load_reference(w, 1, -1));
	for (uint32_t i = 0; i < slots; i++)
		check_int(worker_slot(w, NULL, i), KB_ACK_OK);
}

static inline void start_candidate(struct worker *w,
				   const struct worker *reference,
				   const char *problem, const char *candidate,
				   uint32_t slots)
{
	start(w, problem, candidate);
	check_loaded(w, worker_load_candidate(w, reference, 1, -1));
	for (uint32_t i = 0; i < slots; i++)
		check_int(worker_slot(w, reference, i), KB_ACK_OK);
}

static inline void end(struct worker *w)
{
	check_int(worker_end(w), 0);
}

#endif
