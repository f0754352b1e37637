#ifndef KB_MANIFEST_SUITE_H
#define KB_MANIFEST_SUITE_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/backward.h"
#include "manifest/collective.h"
#include "manifest/derivation.h"
#include "manifest/key.h"
#include "manifest/problem_facts.h"
#include "manifest/record.h"
#include "manifest/sizes.h"
#include "source/runtime.h"

struct kb_fields;

/*
 * A suite: a named set of problems. The bundle holds each problem's file
 * under the name that the record gives.
 *
 * A suite may be derived from another, by sizes, as one of gradients, or both.
 * By sizes its files are its parent's but for the constants that the record
 * lists, and its problems are those that have one; of gradients a text of ours
 * stands behind each file, and the record lists the problems that are left out.
 * Its problems are in Python and have no facts, which hold of the parent's; but
 * remedies change inputs at any size, and by sizes alone a problem has its
 * parent's. All of them have, or none, as before there were any.
 */
struct kb_problem {
	struct kb_key key;
	char *name;			/* "19_ReLU" */
	char *file;			/* "data/problems/level1/19_ReLU.py" */
	enum kb_runtime runtime;
	struct kb_digest digest;	/* of the file */
	uint64_t size_bytes;
	struct kb_problem_facts *facts;	/* or NULL */
	struct kb_remedies derived_remedies;	/* without facts: the parent's */
	struct kb_collective collective;	/* of each call, if it is stated */
	bool needs_transformers;	/* once it is loaded; not recorded */
};

/* A file that problems and candidates in Python may import: "utils/shapes.py" as
 * utils.shapes. */
struct kb_suite_module {
	char *file;			/* "data/modules/utils/shapes.py" */
	struct kb_digest digest;
	uint64_t size_bytes;
	char *data;			/* once it is loaded; not recorded */
};

#define KB_SUITE_MODULES "data/modules/"
#define KB_SUITE_MODULES_MAX 64

struct kb_suite {
	char *name;
	char *version;			/* or NULL */
	char *upstream_commit;		/* 40 hex digits, or NULL */
	const char *conventions;	/* "v3": KernelBench v3's; "pkb":
					   ParallelKernelBench's; NULL:
					   KernelBench's. Static */
	int world;			/* ranks of each problem; 1 without
					   torch.distributed */
	struct kb_problem *problems;	/* sorted by key, each key once */
	size_t problem_count;
	struct kb_suite_module *modules;	/* sorted by file, each once */
	size_t module_count;
	struct kb_sizes sizes;		/* empty: they are the parent's */
	struct kb_backward backward;
	struct kb_digest parent;	/* if it is derived, from which suite */
};

#define KB_SUITE_INIT { .world = 1, .backward = KB_BACKWARD_INIT }
#define KB_WORLD_MAX 8			/* as KB_RANKS_MAX */
#define KB_PROBLEM_BYTES_MAX ((size_t)8 << 20)	/* one problem's file */
#define KB_PROBLEM_NAME_BYTES_MAX 96

void kb_suite_release(struct kb_suite *s);

/* The member "conventions" of a record or of suite.json, NULL if it is not
 * there. Under "v3" modules are in eval mode, not in training mode, and the class
 * of a candidate without ModelNew is Model. Under "pkb" problems and candidates
 * define solution(), and a module makes the inputs. */
const char *kb_suite_read_conventions(struct kb_fields *f);

/* The member "world" likewise, 1 if it is not there. */
int kb_suite_read_world(struct kb_fields *f);

static inline enum kb_derivation
kb_suite_derivation(const struct kb_suite *s)
{
	if (s->backward.is_set)
		return s->sizes.count ? KB_DERIVATION_BOTH
				      : KB_DERIVATION_BACKWARD;
	return s->sizes.count ? KB_DERIVATION_SIZES : KB_DERIVATION_NONE;
}

static inline bool kb_suite_is_derived(const struct kb_suite *s)
{
	return kb_suite_derivation(s) != KB_DERIVATION_NONE;
}

struct kb_json *kb_suite_to_json(const struct kb_suite *s);
int kb_suite_from_json(struct kb_suite *s, const struct kb_json *record,
		       const char *where, struct kb_err *err);

/*
 * The record of a bundle, and that every file it names is the member that
 * it says, and that no other is there. A problem needs transformers if its
 * facts list that package; one without facts, as those of a derived suite are,
 * if its code imports it.
 */
int kb_suite_load(struct kb_suite *s, const struct kb_bundle *b,
		  struct kb_err *err);

/* The same of a bundle of the store. */
int kb_suite_load_id(struct kb_suite *s, const char *store,
		     const struct kb_digest *id, struct kb_err *err);

/* The bundle called `name`, as kb_store_open() finds it, and its record. On
 * failure neither needs release. */
int kb_suite_open(struct kb_bundle *b, struct kb_suite *s, const char *store,
		  const char *name, struct kb_err *err);

/* NULL if there is none. Borrowed until release. */
const struct kb_problem *kb_suite_find(const struct kb_suite *s,
				       struct kb_key key);

/* A problem's own remedies, or its parent's; none: it has no alternate inputs.
 * Borrowed until release. */
const struct kb_remedies *kb_problem_remedies(const struct kb_problem *p);

/* The bytes on the bus in each call of a problem; 0 if there is no such problem,
 * or it states no collective. */
int64_t kb_suite_bus_bytes(const struct kb_suite *s, struct kb_key key,
			   enum kb_precision precision);

/* The findings of an audit about a problem; NULL if there is no such problem,
 * or the suite says nothing of an audit of it. Borrowed until release. */
const struct kb_problem_audit *kb_suite_audit_of(const struct kb_suite *s,
						 struct kb_key key);

/*
 * Fails with KB_ERR_INPUT unless `name` is "<problem_id>_<Name>" of
 * letters, digits and "_-.", beginning with the key's own number.
 */
int kb_problem_name_check(const char *name, struct kb_key key,
			  struct kb_err *err);

/* May a module lie there: a folder and a file of letters, digits and "_", that
 * ends in ".py"? */
bool kb_suite_module_file_is_valid(const char *file);

/* Have both the same? */
bool kb_suite_modules_equal(const struct kb_suite *a, const struct kb_suite *b);

/* Where a problem's file lies in a bundle; the caller frees. */
char *kb_problem_file(struct kb_key key, const char *name,
		      enum kb_runtime runtime);

static inline void kb_cleanup_suite(struct kb_suite *s)
{
	kb_suite_release(s);
}

#endif
