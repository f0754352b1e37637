/* The functions of more.h. */

#include "fake-cuda/libcuda.h"

#include <pthread.h>
#include <unistd.h>

#include "cuda/cupti_api.h"
#include "fake-cuda/more.h"

#define MORE(name, symbol, arguments)					\
	kb_cu_result name arguments __asm__(symbol)			\
		__attribute__((visibility("default")))

MORE(more_StreamWaitEvent, "cuStreamWaitEvent",
     (kb_cu_stream stream, kb_cu_event event, unsigned flags));
MORE(more_LaunchHostFunc, "cuLaunchHostFunc",
     (kb_cu_stream stream, void (*function)(void *), void *argument));
MORE(more_LaunchKernelEx, "cuLaunchKernelEx",
     (const struct more_launch_config *config, kb_cu_function f,
      void **arguments, void **extra));

kb_cu_result more_StreamWaitEvent(kb_cu_stream stream, kb_cu_event event,
				  unsigned flags)
{
	if (flags)
		return FAKE_INVALID_VALUE;
	return CALL(NULL, .op = FAKE_WAIT_EVENT, .stream = number_of(stream),
		    .address = (uintptr_t)event);
}

/* --- functions of the host -------------------------------------------- */

/*
 * A thread of this process calls them, as with the driver: the stream says
 * `ready` and waits until `done` says the same. Neither ever goes back, so that
 * a place is free for the next as soon as the two are equal.
 */
#define PLACES 64
#define LOOK_US 20

struct words {
	uint32_t ready, done;
};

static struct place {
	void (*function)(void *);
	void *argument;
	uint32_t asked;			/* what `ready` will be */
} places[PLACES];
static struct words *words;		/* of each place, seen by the device */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *call_when_ready(void *unused)
{
	for (;; usleep(LOOK_US)) {
		for (int i = 0; i < PLACES; i++) {
			struct words *w = &words[i];
			uint32_t ready = __atomic_load_n(&w->ready,
							 __ATOMIC_ACQUIRE);

			if (ready == w->done)
				continue;
			places[i].function(places[i].argument);
			__atomic_store_n(&w->done, ready, __ATOMIC_RELEASE);
		}
	}
	return unused;
}

static kb_cu_result start(void)
{
	pthread_t thread;
	void *p;
	kb_cu_result result = fake_MemHostAlloc(&p, PLACES * sizeof(*words), 0);

	if (result)
		return result;
	words = p;
	return pthread_create(&thread, NULL, call_when_ready, NULL) ?
		FAKE_UNKNOWN : FAKE_OK;
}

/* PLACES if none is free. */
static int take_place(void (*function)(void *), void *argument)
{
	int i = 0;

	while (i < PLACES &&
	       __atomic_load_n(&words[i].done, __ATOMIC_ACQUIRE) !=
	       places[i].asked)
		i++;
	if (i < PLACES)
		places[i] = (struct place){
			function, argument, places[i].asked + 1,
		};
	return i;
}

kb_cu_result more_LaunchHostFunc(kb_cu_stream stream, void (*function)(void *),
				 void *argument)
{
	kb_cu_result result = FAKE_OK;
	int i = PLACES;

	pthread_mutex_lock(&lock);
	if (!words)
		result = start();
	while (!result && i == PLACES)
		i = take_place(function, argument);
	if (!result)
		result = fake_StreamWriteValue32(stream,
						 (uintptr_t)&words[i].ready,
						 places[i].asked, 0);
	if (!result)
		result = fake_StreamWaitValue32(stream,
						(uintptr_t)&words[i].done,
						places[i].asked,
						KB_CU_WAIT_VALUE_GEQ);
	pthread_mutex_unlock(&lock);
	return result;
}

/* --- launches with attributes ----------------------------------------- */

kb_cu_result more_LaunchKernelEx(const struct more_launch_config *config,
				 kb_cu_function f, void **arguments,
				 void **extra)
{
	bool early = false;

	for (unsigned i = 0; i < config->attribute_count; i++) {
		const struct more_launch_attribute *a = &config->attributes[i];

		if (a->id != MORE_PROGRAMMATIC_STREAM_SERIALIZATION)
			return FAKE_NOT_SUPPORTED;
		early = a->value.allowed;
	}
	tell_launch(KB_CUPTI_LAUNCH_KERNEL_EX, f,
		    (kb_cu_stream)config->stream);
	return launch_kernel(f, config->grid, config->block,
			     config->shared_bytes,
			     (kb_cu_stream)config->stream, arguments, extra,
			     early);
}
