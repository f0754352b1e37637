#include "runtime/lib/launches.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"

static const char graph[] = "(in a graph)";
static const char unknown[] = "(unknown)";

struct kbrt_launches {
	const struct kb_cupti_api *cupti;
	kb_cupti_subscriber subscriber;	/* NULL: nothing is told */
	kb_cu_context context;		/* others are not counted */
	pthread_mutex_t mutex;		/* code may have threads */
	char *names[KBRT_LAUNCHES_MAX];	/* owned; NULL: a graph's */
	size_t count, graph_count;
};

static void on_launch(void *user, int domain, uint32_t id,
		      const struct kb_cupti_call *call)
{
	struct kbrt_launches *l = user;
	const bool is_graph = id == KB_CUPTI_GRAPH_LAUNCH ||
			      id == KB_CUPTI_GRAPH_LAUNCH_PTSZ;

	if (domain != KB_CUPTI_DRIVER_API || call->site != KB_CUPTI_ENTER ||
	    call->context != l->context)
		return;
	pthread_mutex_lock(&l->mutex);
	if (l->count < KBRT_LAUNCHES_MAX) {
		l->graph_count += is_graph;
		l->names[l->count++] = is_graph ? NULL :
			kb_xstrdup(call->symbol ? call->symbol : unknown);
	}
	pthread_mutex_unlock(&l->mutex);
}

struct kbrt_launches *kbrt_launches_watch(const struct kb_cupti_api *cupti,
					  kb_cu_context context)
{
	static const uint32_t ids[] = {
		KB_CUPTI_LAUNCH_KERNEL, KB_CUPTI_LAUNCH_KERNEL_PTSZ,
		KB_CUPTI_LAUNCH_COOPERATIVE, KB_CUPTI_LAUNCH_COOPERATIVE_PTSZ,
		KB_CUPTI_LAUNCH_KERNEL_EX, KB_CUPTI_LAUNCH_KERNEL_EX_PTSZ,
		KB_CUPTI_GRAPH_LAUNCH, KB_CUPTI_GRAPH_LAUNCH_PTSZ,
	};
	struct kbrt_launches *l = kb_xcalloc(1, sizeof(*l));

	l->cupti = cupti;
	l->context = context;
	pthread_mutex_init(&l->mutex, NULL);
	if (cupti->Subscribe(&l->subscriber, on_launch, l)) {
		l->subscriber = NULL;
		return l;
	}
	/* A function that this CUPTI does not know is one that nobody calls. */
	for (size_t i = 0; i < KB_ARRAY_LEN(ids); i++)
		(void)cupti->EnableCallback(1, l->subscriber,
					    KB_CUPTI_DRIVER_API, ids[i]);
	return l;
}

void kbrt_launches_free(struct kbrt_launches *l)
{
	if (!l)
		return;
	if (l->subscriber)
		(void)l->cupti->Unsubscribe(l->subscriber);
	for (size_t i = 0; i < l->count; i++)
		free(l->names[i]);
	pthread_mutex_destroy(&l->mutex);
	free(l);
}

/* By the C++ runtime, if the process has one. What is not mangled would be
 * taken for a type. */
static char *readable_name(const char *name)
{
	const bool is_mangled = !strncmp(name, "_Z", 2);
	void *library = is_mangled ? dlopen("libstdc++.so.6", RTLD_LAZY) : NULL;
	char *(*demangle)(const char *, char *, size_t *, int *) = NULL;
	char *text;
	int status;

	if (library)
		*(void **)&demangle = dlsym(library, "__cxa_demangle");
	text = demangle ? demangle(name, NULL, NULL, &status) : NULL;
	return text ? text : kb_xstrdup(name);
}

static void make_readable(struct kbrt_launches *l)
{
	for (size_t i = 0; i < l->count; i++) {
		char *name = l->names[i];

		if (!name)
			continue;
		l->names[i] = readable_name(name);
		free(name);
	}
}

/* CUPTI 13.0 has one range for a graph; with others there may be one for each
 * of its kernels, and graphs are alike in the calls of a loop. */
static size_t in_graph(const struct kbrt_launches *l, size_t ranges)
{
	const size_t alone = l->count - l->graph_count;

	if (!l->graph_count || ranges < alone)
		return 0;
	return (ranges - alone) / l->graph_count;
}

bool kbrt_launches_name(const char *names[], size_t ranges,
			struct kbrt_launches *l)
{
	const size_t each = in_graph(l, ranges);
	const bool go_together =
		l->count - l->graph_count + each * l->graph_count == ranges;
	size_t at = 0;

	for (size_t i = 0; i < ranges; i++)
		names[i] = unknown;
	if (!go_together)
		return false;
	make_readable(l);
	for (size_t i = 0; i < l->count; i++) {
		const size_t n = l->names[i] ? 1 : each;

		for (size_t k = 0; k < n; k++)
			names[at++] = l->names[i] ? l->names[i] : graph;
	}
	return true;
}
