#include "crew/processors.h"

#include "confine/below.h"

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

/* All of them, if none were left: where processors cannot be had, builds are in the
 * way, and no more. */
static cpu_set_t set_without(const struct kb_processors *p, size_t count)
{
	cpu_set_t set = p->all;

	for (int cpu = 0; cpu < CPU_SETSIZE && count; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		CPU_CLR(cpu, &set);
		count--;
	}
	return CPU_COUNT(&set) ? set : p->all;
}

void kb_processors_keep_off(const struct kb_processors *p, size_t count)
{
	const cpu_set_t set = set_without(p, count);

	if (p->is_known)
		/* Children inherit it (sched_setaffinity(2)): it is set for
		 * this process alone, and holds for all builds that it
		 * starts. */
		(void)sched_setaffinity(0, sizeof(set), &set);
}

bool kb_processors_share(const struct kb_processors *p, size_t kept_off,
			 bool (*is_spared)(void *context, pid_t pid),
			 void *context)
{
	const cpu_set_t set = set_without(p, kept_off);

	if (!p->is_known)
		return false;
	/* First, for what is started meanwhile. */
	kb_processors_keep_off(p, kept_off);
	return kb_move_below(&set, is_spared, context);
}

void kb_processors_restore(const struct kb_processors *p)
{
	if (p->is_known)
		(void)sched_setaffinity(0, sizeof(p->all), &p->all);
}
