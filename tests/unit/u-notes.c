#include "measure/notes.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/device_timing.h"
#include "manifest/timing.h"

static struct kb_timing *timing(enum kb_clock clock, int64_t time_ns)
{
	struct kb_timing *t = kb_timing_new(clock, 1, 2);

	kb_timing_add(t, KB_SERIES_SMALL, 5);
	kb_timing_add(t, KB_SERIES_LARGE, 5);
	t->time_ns = time_ns;
	return t;
}

/* A time by one clock is a time. */
static void test_no_time_by_either_clock_is_told(void)
{
	static const struct {
		int64_t call_ns, device_ns;	/* -1: there is no such timing */
		const char *detail;
	} rows[] = {
		{ 5, -1, NULL },
		{ 5, KB_UNKNOWN, NULL },
		{ KB_UNKNOWN, 5, NULL },
		{ KB_UNKNOWN, -1, "no time: slope not above zero" },
		{ KB_UNKNOWN, KB_UNKNOWN, "no time: slope not above zero" },
		{ -1, -1, "no time: no trials" },
	};

	_Static_assert(KB_UNKNOWN != -1, "another number than that");
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_outcome o = KB_OUTCOME_INIT;
		struct kb_device_timing *device = kb_device_timing_new();
		struct kb_timing *call = rows[i].call_ns == -1 ? NULL :
			timing(KB_CLOCK_CALL, rows[i].call_ns);

		if (rows[i].device_ns != -1)
			device->timing = timing(KB_CLOCK_DEVICE,
						rows[i].device_ns);
		kb_note_untimed(&o, "", call, device);
		check_str(o.detail ? o.detail : "",
			  rows[i].detail ? rows[i].detail : "");
		kb_timing_free(call);
		kb_device_timing_free(device);
		kb_outcome_release(&o);
	}
}

static void test_both_sides_are_told(void)
{
	struct kb_outcome o = KB_OUTCOME_INIT;
	kb_auto(timing) struct kb_timing *t = timing(KB_CLOCK_CALL, 5);

	kb_note_untimed(&o, "", NULL, NULL);
	kb_note_untimed(&o, " of the reference", t, NULL);
	check_str(o.detail, "no time: no trials");
	kb_note_untimed(&o, " of the reference", NULL, NULL);
	check_str(o.detail, "no time: no trials; "
		  "no time of the reference: no trials");
	kb_outcome_release(&o);
}

TAP_MAIN(TAP(test_no_time_by_either_clock_is_told),
	 TAP(test_both_sides_are_told));
