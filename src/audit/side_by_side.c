#include "audit/side_by_side.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "audit/gather.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "manifest/audit.h"
#include "manifest/suite.h"
#include "store/bundle.h"

#define LOOK_NS (20 * KB_NS_PER_MS)

/* A problem that is under way; `busy` tells whether there is one. */
struct slot {
	bool busy;
	struct kb_key key;
	struct kb_gathering gathering;
};

struct round {
	const struct kb_audits *a;
	struct slot *slots;		/* a->at_a_time of them; owned */
	struct kb_key *again;		/* problems for a run alone; owned */
	size_t again_count;
};

static void kb_cleanup_round(struct round *r)
{
	for (size_t i = 0; i < r->a->at_a_time; i++)
		kb_gather_end(&r->slots[i].gathering);
	free(r->slots);
	free(r->again);
}

static int finish_unreadable(const struct round *r, struct kb_key key,
			     struct kb_err *err)
{
	kb_auto(audit_line) struct kb_audit_line l = KB_AUDIT_LINE_INIT;

	l.key = key;
	l.outcome.status = KB_STATUS_LOAD_FAILED;
	l.outcome.phase = KB_PHASE_LOAD;
	l.outcome.detail = kb_xstrdup("only problems in Python are audited");
	return r->a->finish(r->a->context, &l, err);
}

/* Begin with a problem, in a slot that is free. */
static int begin(struct round *r, struct slot *s, struct kb_key key,
		 struct kb_err *err)
{
	const struct kb_problem *problem =
		kb_suite_find(r->a->suite, key);
	kb_auto(buf) struct kb_buf source = KB_BUF_INIT;
	struct kb_source code;
	int ret;

	if (problem->runtime != KB_RUNTIME_TORCH)
		return finish_unreadable(r, key, err);
	ret = kb_bundle_read(&source, r->a->bundle, problem->file,
			     KB_PROBLEM_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	code = (struct kb_source){
		.runtime = problem->runtime, .data = source.data,
		.len = source.len,
	};
	s->key = key;
	s->busy = true;
	return kb_gather_start(&s->gathering, r->a->gather, key, &code, err);
}

/* Problems beside it may have had the memory that it lacked. */
static bool may_do_better_alone(const struct kb_audit_line *l)
{
	return l->evidence ? kb_evidence_lacks_memory(l->evidence)
			   : l->outcome.status == KB_STATUS_OUT_OF_MEMORY;
}

/* Returns 1 if the slot's problem is over, 0 if not. */
static int look(struct round *r, struct slot *s, bool alone,
		struct kb_err *err)
{
	kb_auto(audit_line) struct kb_audit_line l = KB_AUDIT_LINE_INIT;
	int ret = kb_gather_poll(&s->gathering, &l, err);

	if (ret <= 0)
		return ret;
	kb_gather_end(&s->gathering);
	s->busy = false;
	l.key = s->key;
	if (!alone && may_do_better_alone(&l)) {
		r->again[r->again_count++] = l.key;
		return 1;
	}
	ret = r->a->finish(r->a->context, &l, err);
	return ret < 0 ? ret : 1;
}

/* Fill the free slots with what comes next. Returns how many are busy. */
static int64_t fill(struct round *r, const struct kb_key keys[],
		    size_t count, size_t *next, size_t at_a_time,
		    struct kb_err *err)
{
	int64_t busy = 0;

	for (size_t i = 0; i < at_a_time; i++) {
		struct slot *s = &r->slots[i];
		int ret = 0;

		while (!s->busy && *next < count && ret >= 0) {
			const struct kb_key key = keys[(*next)++];

			if (!r->a->is_done(r->a->context, key))
				ret = begin(r, s, key, err);
		}
		if (ret < 0)
			return ret;
		busy += s->busy;
	}
	return busy;
}

/* All of these problems, so many at a time. */
static int run_keys(struct round *r, const struct kb_key keys[],
		    size_t count, size_t at_a_time, struct kb_err *err)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	size_t next = 0;
	int64_t busy;

	while ((busy = fill(r, keys, count, &next, at_a_time, err)) > 0) {
		int over = 0;

		for (size_t i = 0; i < at_a_time; i++) {
			struct slot *s = &r->slots[i];
			int ret = s->busy ? look(r, s, at_a_time == 1, err)
					  : 0;

			if (ret < 0)
				return ret;
			over += ret;
		}
		if (!over)
			(void)nanosleep(&pause, NULL);
	}
	return (int)busy;
}

int kb_audits_run(const struct kb_audits *a, struct kb_err *err)
{
	kb_auto(round) struct round r = {
		.a = a,
		.slots = kb_xcalloc(a->at_a_time, sizeof(*r.slots)),
		.again = kb_xcalloc(a->count + 1, sizeof(*r.again)),
	};
	int ret;

	for (size_t i = 0; i < a->at_a_time; i++)
		r.slots[i].gathering = (struct kb_gathering)KB_GATHERING_INIT;
	ret = run_keys(&r, a->keys, a->count, a->at_a_time, err);
	return ret < 0 ? ret : run_keys(&r, r.again, r.again_count, 1, err);
}
