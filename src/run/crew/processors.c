#include "crew/processors.h"

/* The processors that a lane has for timing, where there are MANY for each
 * lane. */
#define MANY 8
#define TIMING_OF_MANY 3
#define TIMING_OF_FEW 2

size_t kb_processors_to_time(size_t processors, size_t lanes)
{
	return lanes * (processors >= lanes * MANY ? TIMING_OF_MANY
						   : TIMING_OF_FEW);
}

void kb_processors_note(struct kb_processors *p)
{
	p->is_known = !sched_getaffinity(0, sizeof(p->all), &p->all);
}

void kb_processors_keep_off(const struct kb_processors *p, size_t count)
{
	cpu_set_t set = p->all;

	if (!p->is_known)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE && count; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		CPU_CLR(cpu, &set);
		count--;
	}
	/* Where it cannot be had, builds are in the way, and no more. */
	if (CPU_COUNT(&set))
		/* Children inherit it (sched_setaffinity(2)): it is set for
		 * this process alone, and holds for all builds that it
		 * starts. */
		(void)sched_setaffinity(0, sizeof(set), &set);
}

void kb_processors_restore(const struct kb_processors *p)
{
	if (p->is_known)
		(void)sched_setaffinity(0, sizeof(p->all), &p->all);
}
