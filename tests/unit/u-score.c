#include "score/judge.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "measure/time_rule.h"
#include "unit/judge_case.h"

static void test_judge_takes_one_sample_of_each_problem(void)
{
	struct kb_mismatches refused;
	struct kb_score s = KB_SCORE_INIT;
	struct case_input c;

	case_start(&c);
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	check_int(s.line_count, 3);
	check_int(s.lines[0].candidate_ns, 100);
	check_int(s.lines[0].baseline_ns, 200);
	check_int(s.lines[0].reference_ns, 110);
	check_int(s.lines[0].speedup_micro, 2000000);
	check_int(s.lines[1].status, KB_STATUS_MISSING);
	check_int(s.lines[2].status, KB_STATUS_CRASHED);
	check(s.lines[2].baseline_ns == KB_UNKNOWN);

	check_int(s.level_count, 2);
	check_int(s.levels[0].level, 1);
	check_int(s.levels[0].metrics.problems, 2);
	check_int(s.levels[0].metrics.correct, 1);
	check_int(s.levels[1].level, 2);
	check_int(s.levels[1].metrics.compiled, 0);
	check_int(s.overall.problems, 3);
	check_int(s.overall.fast[3], 1);

	kb_score_release(&s);
	kb_mismatches_release(&refused);
	case_end(&c);
}

static void test_judge_calls_an_absent_sample_missing(void)
{
	struct kb_mismatches refused;
	struct kb_score s = KB_SCORE_INIT;
	struct case_input c;

	case_start(&c);
	c.in.choice.sample_id = 1;
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	check_int(s.lines[0].candidate_ns, 200);
	check_int(s.lines[0].sample_id, 1);
	check_int(s.lines[2].status, KB_STATUS_MISSING);
	check_int(s.lines[2].sample_id, 1);
	check_int(s.overall.fast[3], 0);	/* a tie */
	check_int(s.overall.fast[2], 1);

	kb_score_release(&s);
	kb_mismatches_release(&refused);
	case_end(&c);
}

static void refuse(struct case_input *c, const char *message)
{
	struct kb_mismatches refused;
	struct kb_score s = KB_SCORE_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_judge(&s, &refused, &c->in, &err), -KB_ERR_INPUT);
	check_str(err.msg, message);
	kb_mismatches_release(&refused);
	case_end(c);
}

static void test_judge_refuses_another_suite(void)
{
	struct case_input c;

	case_start(&c);
	c.baseline.suite.bytes[0] = 1;
	refuse(&c, "the baseline is of another suite than the evaluation");
}

static void test_judge_refuses_a_time_that_its_samples_deny(void)
{
	struct kb_timing *kept = results[0].timing;
	struct case_input c;

	case_start(&c);
	results[0].timing = &forged;
	refuse(&c, "candidate time of problem '1/1' does not follow from its "
		   "samples");
	results[0].timing = kept;
}

static void test_judge_refuses_an_allowance_for_no_field(void)
{
	static const char *const fields[] = { "devcie" };
	struct case_input c;

	case_start(&c);
	c.in.allowed_fields = fields;
	c.in.allowed_count = 1;
	refuse(&c, "no match key has a field 'devcie': kb-manifest(5) lists them");
}

static void test_judge_refuses_differing_match_keys(void)
{
	static const char *const fields[] = { "torch" };
	struct kb_mismatches refused;
	struct kb_score s = KB_SCORE_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct case_input c;

	case_start(&c);
	kb_json_set_string(c.evaluation.conditions.match_key, "torch", "2.5");
	kb_json_set_string(c.evaluation.conditions.match_key, "os", "a");
	kb_json_set_string(c.baseline.conditions.match_key, "os", "b");
	c.in.allowed_fields = fields;
	c.in.allowed_count = 1;

	check_int(kb_judge(&s, &refused, &c.in, &err), -KB_ERR_INPUT);
	check_str(err.msg, "the baseline does not match the evaluation: "
			   "1 of their conditions differs");
	check_int(refused.count, 1);
	check_str(refused.items[0].field, "os");
	check_str(refused.items[0].left, "a");
	check_str(refused.items[0].right, "b");

	kb_mismatches_release(&refused);
	case_end(&c);
}

static void test_judge_again_gives_the_same_score(void)
{
	static const char *const fields[] = { "torch" };
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(score) struct kb_score s = KB_SCORE_INIT, t = KB_SCORE_INIT;
	kb_auto(buf) struct kb_buf first = KB_BUF_INIT, again = KB_BUF_INIT;
	struct kb_json *v;
	struct case_input c;

	case_start(&c);
	kb_json_set_string(c.evaluation.conditions.match_key, "torch", "2.5");
	c.in.allowed_fields = fields;
	c.in.allowed_count = 1;
	c.in.choice.sample_id = 1;
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	check_int(s.allowed.count, 1);

	c.in.allowed_count = 0;
	c.in.choice.sample_id = 0;
	check_int(kb_judge_again(&t, &s, &c.in, NULL), 0);

	v = kb_score_to_json(&s);
	kb_json_print(&first, v);
	kb_json_free(v);
	v = kb_score_to_json(&t);
	kb_json_print(&again, v);
	kb_json_free(v);
	check_str(again.data, first.data);
	case_end(&c);
}

/* Give the first problem, or none, device times. */
/* The same samples by the call clock, beside the device's. */
static struct kb_timing *tell(struct kb_timing *told,
			      const struct kb_timing *t,
			      const struct kb_device_timing *device)
{
	*told = *t;
	told->device_ns = device && device->timing ? device->timing->time_ns
						   : NONE;
	kb_time_decide(told, NULL);
	return told;
}

static void set_device_times(struct kb_device_timing *candidate,
			     struct kb_device_timing *reference)
{
	static struct kb_timing told[4];

	results[0].timing = tell(&told[0], &slope_100, candidate);
	results[0].reference_timing = tell(&told[1], &slope_110, reference);
	references[0].timing = tell(&told[2], &slope_200, reference);
	references[1].timing = tell(&told[3], &slope_200,
				    references[1].device_timing);
	results[0].device_timing = candidate;
	results[0].reference_device_timing = reference;
	references[0].device_timing = reference;
}

static const struct {
	struct kb_device_timing *candidate, *reference;
	enum kb_clock clock, candidate_clock;
	int64_t candidate_ns, baseline_ns, reference_ns, speedup_micro;
} by_device[] = {
	{ &honest, &reference_90, KB_CLOCK_DEVICE, KB_CLOCK_DEVICE,
	  30, 90, 90, 3000000 },
	{ &side_by_side, &reference_90, KB_CLOCK_DEVICE, KB_CLOCK_DEVICE,
	  8000, 90, 90, 11250 },
	/* Its call time, over the reference's device time. */
	{ &unqueueable, &reference_90, KB_CLOCK_DEVICE, KB_CLOCK_CALL,
	  100, 90, 90, 900000 },
	{ NULL, &reference_90, KB_CLOCK_DEVICE, KB_CLOCK_CALL,
	  100, 90, 90, 900000 },
	/* By the call clock, and then both. */
	{ &honest, &unqueueable, KB_CLOCK_CALL, KB_CLOCK_CALL,
	  100, 200, 110, 2000000 },
	{ &unqueueable, &unqueueable, KB_CLOCK_CALL, KB_CLOCK_CALL,
	  100, 200, 110, 2000000 },
};

static void test_judge_by_the_device_clock(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(by_device); i++) {
		kb_auto(mismatches) struct kb_mismatches refused =
			KB_MISMATCHES_INIT;
		kb_auto(score) struct kb_score s = KB_SCORE_INIT;
		struct kb_err err = KB_ERR_INIT;
		const struct kb_score_line *l;
		struct case_input c;

		case_start(&c);
		/* So that there is one. */
		references[1].device_timing = &reference_90;
		set_device_times(by_device[i].candidate,
				 by_device[i].reference);
		c.in.choice.clock = KB_CLOCK_DEVICE;
		check_int(kb_judge(&s, &refused, &c.in, &err), 0);
		check_str(err.msg, "");
		l = &s.lines[0];
		check_int(l->status, KB_STATUS_CORRECT);
		check_int(l->clock, by_device[i].clock);
		check_int(l->candidate_clock, by_device[i].candidate_clock);
		check_int(l->candidate_ns, by_device[i].candidate_ns);
		check_int(l->baseline_ns, by_device[i].baseline_ns);
		check_int(l->reference_ns, by_device[i].reference_ns);
		check_int(l->speedup_micro, by_device[i].speedup_micro);
		check_int(s.overall.correct, 1);
		check_int(s.lines[1].baseline_ns, 90);
		references[1].device_timing = NULL;
		set_device_times(NULL, NULL);
		case_end(&c);
	}
}

static void test_call_clock_scores_are_no_less_than_device_times(void)
{
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	struct case_input c;

	case_start(&c);
	set_device_times(&side_by_side, &reference_90);
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	check_int(s.lines[0].candidate_ns, 8000);
	check_int(s.lines[0].reference_ns, 110);
	check_int(s.lines[0].clock, KB_CLOCK_CALL);
	check_str(kb_json_string_value(kb_json_find(s.definition, "clock")),
		  "call");
	set_device_times(NULL, NULL);
	case_end(&c);
}

/* Every part of what follows from samples, forged in turn; and a time that is
 * withheld, which would leave the call time. */
static void test_judge_refuses_a_device_time_that_its_samples_deny(void)
{
	struct kb_timing forgeries[] = {
		side_by_side_8000, side_by_side_8000, side_by_side_8000,
		side_by_side_8000, side_by_side_8000, side_by_side_8000,
	};

	forgeries[0].time_ns = 30;
	forgeries[1].basis = KB_BASIS_SLOPE;
	forgeries[2].low_ns = 7999;
	forgeries[3].high_ns = KB_UNKNOWN;
	forgeries[4].one_call_count = 0;
	forgeries[5].time_ns = forgeries[5].low_ns = forgeries[5].high_ns =
		KB_UNKNOWN;
	for (size_t i = 0; i < KB_ARRAY_LEN(forgeries); i++) {
		struct kb_device_timing t = { .timing = &forgeries[i] };
		struct case_input c;

		case_start(&c);
		set_device_times(&t, &reference_90);
		c.in.choice.clock = KB_CLOCK_DEVICE;
		refuse(&c, "candidate time of problem '1/1' does not follow "
			   "from its samples");
		set_device_times(NULL, NULL);
	}
}

static void test_judge_refuses_a_reference_that_its_samples_deny(void)
{
	struct kb_timing at_900 = device_90;
	struct kb_device_timing slow = { .timing = &at_900 };
	struct case_input c;

	at_900.time_ns = 900;
	case_start(&c);
	set_device_times(&honest, &reference_90);
	results[0].reference_device_timing = &slow;
	c.in.choice.clock = KB_CLOCK_DEVICE;
	refuse(&c, "reference time of problem '1/1' does not follow from its "
		   "samples");

	case_start(&c);
	set_device_times(&honest, &reference_90);
	references[0].device_timing = &slow;
	c.in.choice.clock = KB_CLOCK_DEVICE;
	refuse(&c, "baseline time of problem '1/1' does not follow from its "
		   "samples");
	set_device_times(NULL, NULL);
}

/* What bounds a call time is the device's time and no other. */
static void test_judge_refuses_a_device_ns_that_is_another(void)
{
	static struct kb_timing *const *const whose[] = {
		&results[0].reference_timing, &results[0].timing,
		&references[0].timing,
	};
	static const char *const messages[] = {
		"'device_ns' of the reference of problem '1/1' is not its "
		"time by the device's clock",
		"'device_ns' of the candidate of problem '1/1' is not its "
		"time by the device's clock",
		"'device_ns' of the baseline of problem '1/1' is not its "
		"time by the device's clock",
	};
	static const int64_t others_ns[] = { NONE, 1, 7999 };

	for (size_t i = 0; i < 3 * KB_ARRAY_LEN(others_ns); i++) {
		const int64_t other_ns = others_ns[i % 3];
		struct case_input c;

		case_start(&c);
		set_device_times(&side_by_side, &reference_90);
		(*whose[i / 3])->device_ns = other_ns;
		kb_time_decide(*whose[i / 3], NULL);
		c.in.choice.clock = i & 1 ? KB_CLOCK_DEVICE : KB_CLOCK_CALL;
		refuse(&c, messages[i / 3]);
		set_device_times(NULL, NULL);
	}
}

static void test_judge_refuses_a_clock_that_the_baseline_has_not(void)
{
	struct case_input c;

	case_start(&c);
	c.in.choice.clock = KB_CLOCK_DEVICE;
	refuse(&c, "the baseline has no time by the clock 'device'");
}

static void test_judge_again_takes_the_clock_from_the_score(void)
{
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(score) struct kb_score s = KB_SCORE_INIT, t = KB_SCORE_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct case_input c;

	case_start(&c);
	set_device_times(&honest, &reference_90);
	c.in.choice.clock = KB_CLOCK_DEVICE;
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	c.in.choice.clock = KB_CLOCK_CALL;
	check_int(kb_judge_again(&t, &s, &c.in, NULL), 0);
	check_int(t.lines[0].candidate_ns, 30);
	check_str(kb_json_string_value(kb_json_find(t.definition, "clock")),
		  "device");
	check_str(kb_json_string_value(kb_json_find(t.options, "clock")),
		  "device");
	kb_score_release(&t);

	kb_json_free(s.definition);
	s.definition = kb_json_object();
	kb_json_set_int(s.definition, "sample_id", 0);
	kb_json_set_string(s.definition, "clock", "wall");
	check_int(kb_judge_again(&t, &s, &c.in, &err), -KB_ERR_INPUT);
	check_str(err.msg, "the score's definition: no clock is called 'wall', there are: "
			   "call, device");
	set_device_times(NULL, NULL);
	case_end(&c);
}

TAP_MAIN(TAP(test_judge_takes_one_sample_of_each_problem),
	 TAP(test_judge_calls_an_absent_sample_missing),
	 TAP(test_judge_refuses_another_suite),
	 TAP(test_judge_refuses_a_time_that_its_samples_deny),
	 TAP(test_judge_refuses_an_allowance_for_no_field),
	 TAP(test_judge_refuses_differing_match_keys),
	 TAP(test_judge_again_gives_the_same_score),
	 TAP(test_judge_by_the_device_clock),
	 TAP(test_call_clock_scores_are_no_less_than_device_times),
	 TAP(test_judge_refuses_a_device_time_that_its_samples_deny),
	 TAP(test_judge_refuses_a_reference_that_its_samples_deny),
	 TAP(test_judge_refuses_a_device_ns_that_is_another),
	 TAP(test_judge_refuses_a_clock_that_the_baseline_has_not),
	 TAP(test_judge_again_takes_the_clock_from_the_score));
