#ifndef KB_TESTS_FAKE_CUDA_MORE_H
#define KB_TESTS_FAKE_CUDA_MORE_H

/*
 * What candidates call of the driver and kb does not, so that it is not in
 * cuda/cuda_api.h: layouts and numbers are those of <cuda.h>. A stream and an
 * event are what the driver's other functions call so.
 *
 *	cuStreamWaitEvent(stream, event, 0)
 *	cuLaunchHostFunc(stream, function, argument)
 *	cuLaunchKernelEx(config, function, arguments, NULL)
 */

/* The next kernel of a stream need not wait for the end of the one before. */
#define MORE_PROGRAMMATIC_STREAM_SERIALIZATION 6

struct more_launch_attribute {
	int id;
	char pad[4];
	union {
		char bytes[64];
		int allowed;
	} value;
};

struct more_launch_config {
	unsigned grid[3], block[3];
	unsigned shared_bytes;
	void *stream;
	struct more_launch_attribute *attributes;
	unsigned attribute_count;
};

#endif
