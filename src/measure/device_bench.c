#include "measure/device_bench.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "measure/device_course.h"
#include "measure/notes.h"

/* Native code leaves nothing in its heap but needs its table. */
static uint64_t heap_bytes(const struct kb_bench *b,
			   const struct kb_source *code)
{
	return code->runtime == KB_RUNTIME_TORCH ? b->policy->heap_bytes
						 : KB_PAGE_BYTES;
}

int kb_device_bench_start(struct kb_bench *b, struct kb_fault *fault,
			  struct kb_err *err)
{
	int ret;

	b->device_slots = (struct kb_device_slots){
		.cuda = b->gpu->cuda, .plan = &b->plan,
	};
	ret = kb_heap_open(&b->heap, b->gpu->cuda,
			   heap_bytes(b, &b->problem), err);
	if (ret < 0)
		return ret;
	return kb_heap_send(&b->heap, &b->reference.worker, fault, err);
}

void kb_device_bench_stop(struct kb_bench *b)
{
	kb_device_slots_release(&b->device_slots);
	kb_heap_close(&b->heap, b->gpu->cuda);
}

/* Warm the reference up and learn what its batches are, once a bench; where
 * nothing is timed they are not wanted. */
static int prepare_reference(struct kb_course *c, bool is_timed,
			     struct kb_err *err)
{
	struct kb_bench *b = c->bench;
	struct kb_lane *lane = &c->lanes[KB_SIDE_REFERENCE];
	int ret = 1;

	if (!b->gate_known) {
		ret = kb_course_warm_up(c, KB_SIDE_REFERENCE, err);
		b->plain_ns = lane->plain_ns;
		b->heap_peak_bytes = lane->heap_peak_bytes;
	}
	if (ret <= 0 || !is_timed)
		return ret;
	return kb_course_pilot(c, KB_SIDE_REFERENCE, err);
}

static int start_candidate(struct kb_course *c, struct kb_launched *x,
			   struct kb_heap *heap,
			   const struct kb_source *candidate,
			   struct kb_buf *log, struct kb_err *err)
{
	struct kb_bench *b = c->bench;
	int ret;

	ret = kb_launch(x, b->launcher, &b->problem, candidate, KB_NO_LIMIT,
			log, &c->fault, err);
	if (ret > 0)
		ret = kb_launched_load(x, b->weights_seed, b->plan_fd,
				       b->state_fd, &c->fault, err);
	if (ret <= 0)
		return ret;
	ret = kb_heap_open(heap, b->gpu->cuda, heap_bytes(b, candidate), err);
	if (ret < 0)
		return ret;
	ret = kb_heap_send(heap, &x->worker, &c->fault, err);
	if (ret <= 0)
		return ret;

	c->has_candidate = true;
	c->lanes[KB_SIDE_CANDIDATE].subject = (struct kb_subject){
		.worker = &x->worker,
		.heap = heap,
		.outputs_in_slots = candidate->runtime != KB_RUNTIME_TORCH,
	};
	return 1;
}

static int run_candidate(struct kb_course *c, struct kb_launched *x,
			 struct kb_heap *heap,
			 const struct kb_source *candidate, bool is_timed,
			 struct kb_buf *log, int64_t *before_ns,
			 struct kb_err *err)
{
	int ret = prepare_reference(c, is_timed, err);

	if (ret > 0 && is_timed)
		ret = kb_course_look(c, before_ns, err);
	if (ret > 0)
		ret = start_candidate(c, x, heap, candidate, log, err);
	if (ret > 0)
		ret = kb_course_warm_up(c, KB_SIDE_CANDIDATE, err);
	if (ret <= 0 || !is_timed)
		return ret;
	ret = kb_course_pilot(c, KB_SIDE_CANDIDATE, err);
	return ret <= 0 ? ret : kb_course_measure(c, err);
}

/* The reference once more, alone. */
static int look_after(struct kb_course *c, int64_t before_ns,
		      struct kb_err *err)
{
	struct kb_lane *lane = &c->lanes[KB_SIDE_REFERENCE];
	int64_t after_ns;
	int ret;

	c->has_candidate = false;
	ret = kb_course_look(c, &after_ns, err);
	if (ret > 0) {
		lane->device->control_before_ns = before_ns;
		lane->device->control_after_ns = after_ns;
	}
	return ret;
}

static void note_times(struct kb_result *r, struct kb_course *c)
{
	struct kb_lane *reference = &c->lanes[KB_SIDE_REFERENCE];
	struct kb_lane *candidate = &c->lanes[KB_SIDE_CANDIDATE];

	r->outcome.status = KB_STATUS_CORRECT;
	r->timing = kb_steal(candidate->call);
	r->device_timing = kb_steal(candidate->device);
	r->reference_timing = kb_steal(reference->call);
	r->reference_device_timing = kb_steal(reference->device);
}

int kb_device_bench_candidate(struct kb_bench *b,
			      const struct kb_source *candidate, bool is_timed,
			      struct kb_result *r, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	kb_auto(course) struct kb_course c = { .bench = b };
	struct kb_launched x = KB_LAUNCHED_INIT;
	struct kb_heap heap = KB_HEAP_INIT;
	const int64_t start_ns = kb_clock_ns();
	int64_t before_ns = KB_UNKNOWN;
	int ret = kb_course_begin(&c, b, &r->outcome, err);

	c.remedy = r->remedy;
	if (ret >= 0)
		ret = run_candidate(&c, &x, &heap, candidate, is_timed, &log,
				    &before_ns, err);
	if (ret >= 0)
		kb_note_log(&r->outcome, &log, &x.worker);
	kb_launched_end(&x);
	kb_heap_close(&heap, b->gpu->cuda);
	if (ret > 0 && is_timed)
		ret = look_after(&c, before_ns, err);

	r->outputs = kb_steal(c.worst);
	r->output_count = r->outputs ? b->plan.output_count : 0;
	if (ret > 0)
		note_times(r, &c);
	else if (!ret && c.fault.side == KB_SIDE_CANDIDATE)
		kb_note_fault(&r->outcome, &c.fault);
	else if (!ret)
		kb_note_reference_fault(&r->outcome, &c.fault);
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return ret < 0 ? ret : ret || c.fault.side == KB_SIDE_CANDIDATE;
}

int kb_device_bench_reference(struct kb_bench *b,
			      struct kb_reference_result *r,
			      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	kb_auto(course) struct kb_course c = { .bench = b };
	const int64_t start_ns = kb_clock_ns();
	int ret = kb_course_begin(&c, b, &r->outcome, err);

	if (ret >= 0)
		ret = prepare_reference(&c, true, err);
	if (ret > 0)
		ret = kb_course_measure(&c, err);
	if (ret >= 0)
		kb_note_log(&r->outcome, &log, &b->reference.worker);
	if (ret > 0) {
		r->outcome.status = KB_STATUS_TIMED;
		r->timing = kb_steal(c.lanes[KB_SIDE_REFERENCE].call);
		r->device_timing =
			kb_steal(c.lanes[KB_SIDE_REFERENCE].device);
	} else if (!ret) {
		kb_note_fault(&r->outcome, &c.fault);
	}
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return ret;
}
