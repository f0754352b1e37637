#include "measure/call_time.h"

#include "base/alloc.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "manifest/timing.h"

/* A batch of n calls of `call_ns` that pays `once_ns` once, in three trials
 * with a little noise around it; `wasted_ns` more in each small batch. */
struct batches {
	int n_small, n_large;
	int64_t call_ns, once_ns, wasted_ns;
};

struct samples {
	struct kb_timing timing;
	int64_t small_ns[3], large_ns[3];
};

static const struct kb_timing *make(struct samples *s,
				    const struct batches *b)
{
	static const int64_t noise_ns[] = { 0, -7, 11 };

	for (int i = 0; i < 3; i++) {
		s->small_ns[i] = b->once_ns + b->n_small * b->call_ns +
				 b->wasted_ns + noise_ns[i];
		s->large_ns[i] = b->once_ns + b->n_large * b->call_ns +
				 noise_ns[i];
	}
	s->timing = (struct kb_timing){
		.method = b->n_large > b->n_small ? KB_METHOD_SLOPE
						  : KB_METHOD_SINGLE,
		.n_small = b->n_small,
		.n_large = b->n_large,
		.small_ns = s->small_ns,
		.small_count = 3,
		.large_ns = s->large_ns,
		.large_count = b->n_large > b->n_small ? 3 : 0,
	};
	return &s->timing;
}

static void test_slope_is_free_of_what_is_paid_once(void)
{
	const struct batches b = { 4, 12, 1000000, 300000, 0 };
	struct samples s;

	check_int(kb_call_time_of(make(&s, &b)), 1000000);
}

static void test_single_is_the_whole_batch(void)
{
	const struct batches b = { 2, 2, 1000000, 300000, 0 };
	struct samples s;

	check_int(kb_call_time_of(make(&s, &b)), 1150000);
}

static void test_samples_that_give_no_time(void)
{
	const struct batches wasted = { 4, 12, 1000, 300000, 9000 };
	const struct batches good = { 4, 12, 1000, 300000, 0 };
	struct kb_timing none = { .method = KB_METHOD_SLOPE };
	struct samples s;

	check_int(kb_call_time_of(&none), KB_UNKNOWN);
	check_int(kb_call_time_of(make(&s, &wasted)), KB_UNKNOWN);
	make(&s, &good);
	s.timing.large_count = 2;
	check_int(kb_call_time_of(&s.timing), KB_UNKNOWN);
}

/* The reference's call takes 1 ms and its gate 0.3 ms, 8 calls apart. */
static const struct batches reference = { 4, 12, 1000000, 300000, 0 };

static const struct {
	const char *what;
	struct batches candidate;
	int64_t time_ns;
} beside[] = {
	{ "an honest one keeps its slope",
	  { 4, 12, 500000, 300000, 0 }, 500000 },
	{ "a dearer gate within the slack does, too",
	  { 4, 12, 500000, 399000, 0 }, 500000 },
	{ "what exceeds the slack counts, shared by the large batch",
	  { 4, 12, 500000, 700000, 0 }, 525000 },
	/* A slope of 250000 ns, of calls that take 500000. */
	{ "time wasted in small batches gains the slack at most",
	  { 4, 12, 500000, 300000, 2000000 }, 491666 },
	{ "a cheaper gate gains nothing",
	  { 4, 12, 500000, 100000, 0 }, 500000 },
};

static void test_candidate_beside_its_reference(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(beside); i++) {
		struct samples ours, theirs;
		int64_t got = kb_call_time_beside(
			make(&ours, &beside[i].candidate),
			make(&theirs, &reference));

		if (got != beside[i].time_ns)
			tap_fail("%s: %lld, want %lld", beside[i].what,
				 (long long)got, (long long)beside[i].time_ns);
	}
}

static void test_no_reference_means_the_slope(void)
{
	const struct batches wasted = { 4, 12, 500000, 300000, 2000000 };
	const struct batches single = { 2, 2, 1000000, 300000, 0 };
	struct samples ours, theirs;

	check_int(kb_call_time_beside(make(&ours, &wasted), NULL), 250000);
	check_int(kb_call_time_beside(make(&ours, &wasted),
				      make(&theirs, &single)), 250000);
}

/* Ten trials, whose least and greatest are the ends of each interval. */
static void make_ten(struct kb_timing *t, int64_t small_ns[10],
		     int64_t large_ns[10], const int64_t small[3],
		     const int64_t large[3])
{
	for (int i = 0; i < 10; i++) {
		small_ns[i] = small[i < 2 ? i : 2];
		large_ns[i] = large[i > 7 ? i - 8 : 2];
	}
	*t = (struct kb_timing){
		.method = KB_METHOD_SLOPE, .n_small = 4, .n_large = 12,
		.small_ns = small_ns, .small_count = 10,
		.large_ns = large_ns, .large_count = 10,
	};
}

static void test_interval_of_a_floor_is_of_all_that_it_is_made_of(void)
{
	static const int64_t steady_small[] = { 5000000, 5000000, 5000000 };
	static const int64_t large[] = { 11400000, 13200000, 12000000 };
	static const int64_t small[] = { 3900000, 4200000, 4000000 };
	static const int64_t steady[] = { 12000000, 12000000, 12000000 };
	int64_t ours_small[10], ours_large[10], their_small[10],
		their_large[10], low_ns = 1, high_ns = 2;
	struct kb_timing ours, theirs;

	make_ten(&ours, ours_small, ours_large, steady_small, large);
	make_ten(&theirs, their_small, their_large, small, steady);
	check_int(kb_call_time_floor(&ours, &theirs, 100000), 991666);
	/* calls of 975 to 1012.5 us leave the gate 0 to 300 us */
	check(kb_call_time_floor_interval(&low_ns, &high_ns, &ours, &theirs,
					  100000, 987500));
	check_int(low_ns, (11400000 - 300000 - 100000) / 12);
	check_int(high_ns, (13200000 - 0 - 100000) / 12);

	/* where the slopes are above the floor they are the time */
	check(kb_call_time_floor_interval(&low_ns, &high_ns, &ours, &theirs,
					  5000000, 987500));
	check_int(low_ns, (11400000 - 5000000) / 8);
	check_int(high_ns, (13200000 - 5000000) / 8);
}

static void test_a_floor_without_an_interval_leaves_it_alone(void)
{
	static const int64_t small[] = { 4000000, 4000000, 4000000 };
	static const int64_t large[] = { 12000000, 12000000, 12000000 };
	int64_t small_ns[10], large_ns[10], low_ns = 1, high_ns = 2;
	struct kb_timing ours, theirs;

	make_ten(&ours, small_ns, large_ns, small, large);
	theirs = ours;
	theirs.small_count = theirs.large_count = 9;
	check(!kb_call_time_floor_interval(&low_ns, &high_ns, &ours, &theirs,
					   0, 987500));
	check(!kb_call_time_floor_interval(&low_ns, &high_ns, &theirs, &ours,
					   0, 987500));
	check(!kb_call_time_floor_interval(&low_ns, &high_ns, &ours, NULL, 0,
					   987500));
	check_int(low_ns, 1);
	check_int(high_ns, 2);
}

/* A record can claim any numbers; none may overflow. */
static void test_absurd_samples_are_harmless(void)
{
	const struct batches absurd = { 999999999, 1000000000, 1, 0, 0 };
	struct samples ours, theirs;
	int64_t low_ns, high_ns;

	make(&ours, &absurd);
	make(&theirs, &absurd);
	for (int i = 0; i < 3; i++) {
		theirs.small_ns[i] = 1;
		theirs.large_ns[i] = INT64_C(9007199254740991);
	}
	check(kb_call_time_beside(&ours.timing, &theirs.timing) >= 1);
	check(kb_call_time_floor_interval(&low_ns, &high_ns, &ours.timing,
					  &theirs.timing, 0, 0));

	/* a trial of which the small batch took longer, beyond all measure */
	theirs.timing.n_small = 999;
	theirs.timing.n_large = 1000;
	theirs.small_ns[0] = INT64_C(9007199254740991);
	theirs.large_ns[0] = 1;
	check(kb_call_time_floor_interval(&low_ns, &high_ns, &ours.timing,
					  &theirs.timing, 0, 0));
	check(low_ns <= high_ns);
}

TAP_MAIN(TAP(test_slope_is_free_of_what_is_paid_once),
	 TAP(test_single_is_the_whole_batch),
	 TAP(test_samples_that_give_no_time),
	 TAP(test_candidate_beside_its_reference),
	 TAP(test_no_reference_means_the_slope),
	 TAP(test_interval_of_a_floor_is_of_all_that_it_is_made_of),
	 TAP(test_a_floor_without_an_interval_leaves_it_alone),
	 TAP(test_absurd_samples_are_harmless));
