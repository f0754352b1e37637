#ifndef KB_IMPORT_KERNELBENCH_RUNS_H
#define KB_IMPORT_KERNELBENCH_RUNS_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_err;
struct kb_provenance;
struct kb_sources;

/*
 * KernelBench's run folder, runs/<run name>/:
 *
 *	generation_config.yaml			how the run was generated
 *	level_<L>_problem_<P>_sample_<S>_kernel.py
 *	..._prompt.txt, eval_results.json, ...	not read
 */

#define KB_RUNS_CONFIG "generation_config.yaml"
/* It has some hundred bytes. libyaml compares each %TAG with all before it. */
#define KB_RUNS_CONFIG_BYTES_MAX ((size_t)64 << 10)

/* The folder at `path` has a generation_config.yaml. */
bool kb_runs_is(const char *path);

/* Adds to `sources`, unsorted; `provenance` is set from the configuration
 * and needs no release on failure. */
int kb_runs_read(struct kb_provenance *provenance, struct kb_sources *sources,
		 const char *path, struct kb_err *err);

/*
 * The configuration from its bytes: a mapping in YAML. Of what it has these
 * keys are read: run_name, model_name, server_type, temperature, top_p,
 * max_tokens, num_samples, precision, backend. null, "None" and "" mean not known.
 *
 * Fails with KB_ERR_INPUT if the bytes are not YAML, or one of these keys is
 * there twice or holds something else; the message gives the line.
 */
int kb_runs_config_parse(struct kb_provenance *out, const void *data,
			 size_t len, const char *name, struct kb_err *err);

/*
 * Append a configuration that reads back as `p`: what is known, under their
 * keys, and "level", which they have, too.
 */
void kb_runs_config_print(struct kb_buf *out, const struct kb_provenance *p,
			  int level);

#endif
