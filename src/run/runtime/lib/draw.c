/* Random numbers of inputs, on the CPU and on the device. */

#include <string.h>

#include "base/err.h"
#include "random/cuda_random.h"
#include "random/random.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

_Static_assert(KB_SEED_BYTES == KB_RANDOM_SEED_BYTES,
	       "a request carries the seed of a stream");

/* A draw, its generator, and the number of elements. */
struct drawing {
	struct kb_draw how;
	struct kb_random_stream stream;
	enum kb_dtype dtype;
	uint64_t count;
};

static int begin_drawing(struct drawing *d, const struct kbrt *rt,
			 const struct kb_tensor_spec *spec,
			 const struct kbrt_drawing *how, struct kb_err *err)
{
	const uint64_t bytes = kb_tensor_bytes(spec);
	int ret;

	*d = (struct drawing){
		.how = { (enum kb_draw_kind)how->kind, how->low, how->high },
		.stream = { .slot = how->slot, .tensor = how->draw },
		.dtype = (enum kb_dtype)spec->dtype,
	};
	if (bytes == UINT64_MAX)
		return kb_err(err, KB_ERR_INPUT, "no such tensor can be drawn");
	d->count = bytes / kb_dtype_size_bytes(d->dtype);
	ret = kb_draw_check(&d->how, d->dtype, err);
	if (ret < 0)
		return ret;
	memcpy(d->stream.seed, rt->request.seed, sizeof(d->stream.seed));
	return 0;
}

int kbrt_draw(const struct kbrt *rt, void *data,
	      const struct kb_tensor_spec *spec,
	      const struct kbrt_drawing *how, struct kb_err *err)
{
	struct drawing d;
	int ret = begin_drawing(&d, rt, spec, how, err);

	if (!ret)
		kb_random_fill(data, d.dtype, d.count, &d.how, &d.stream);
	return ret;
}

int kbrt_draw_on_device(const struct kbrt *rt, void *data,
			const struct kb_tensor_spec *spec,
			const struct kbrt_drawing *how, struct kb_err *err)
{
	struct kb_cuda_random *random;
	struct drawing d;
	int ret = begin_drawing(&d, rt, spec, how, err);

	if (ret || !d.count)
		return ret;
	ret = kbrt_cuda_random(&random, rt, err);
	return ret ? ret : kb_cuda_random_fill(
		random, kbrt_draw_stream(rt),
		&(struct kb_cuda_tensor){ (uintptr_t)data, d.dtype, d.count },
		&d.how, &d.stream, err);
}
