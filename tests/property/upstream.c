/*
 * For kernelbench-score: result sets on standard input, what we make of them
 * on standard output. A result is a line "COMPILED CORRECT RUNTIME BASELINE",
 * times in milliseconds; an empty line ends a set, of which the numbers
 * follow on one line.
 */
#include "score/kernelbench.h"

#include <inttypes.h>
#include <stdio.h>

#include "manifest/record.h"

static void tell(const struct kb_upstream *u)
{
	int64_t nano = kb_upstream_geomean(u, 1000000000);

	printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, u->problems,
	       u->compiled, u->correct, u->with_baseline);
	for (int p = 0; p < KB_FAST_COUNT; p++)
		printf(" %" PRId64, u->fast[p]);
	if (nano == KB_UNKNOWN)
		puts(" nan");
	else
		printf(" %" PRId64 "\n", nano);
}

int main(void)
{
	struct kb_upstream u = { 0 };
	char line[128];

	while (fgets(line, sizeof(line), stdin)) {
		struct kb_upstream_result r;
		int compiled, correct;

		if (line[0] == '\n') {
			tell(&u);
			u = (struct kb_upstream){ 0 };
			continue;
		}
		if (sscanf(line, "%d %d %lf %lf", &compiled, &correct,
			   &r.runtime_ms, &r.baseline_ms) != 4)
			return 2;
		r.compiled = compiled;
		r.correct = correct;
		kb_upstream_add(&u, &r);
	}
	return 0;
}
