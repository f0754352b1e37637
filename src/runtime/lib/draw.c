#include <string.h>

#include "base/err.h"
#include "base/random.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

_Static_assert(KB_SEED_BYTES == KB_RANDOM_SEED_BYTES,
	       "a request carries the seed of a stream");

int kbrt_draw(const struct kbrt *rt, void *data,
	      const struct kb_tensor_spec *spec, uint32_t kind, double low,
	      double high, uint32_t slot, uint32_t draw, struct kb_err *err)
{
	const struct kb_draw how = {
		.kind = (enum kb_draw_kind)kind,
		.low = low,
		.high = high,
	};
	struct kb_random_stream stream = { .slot = slot, .tensor = draw };
	const uint64_t bytes = kb_tensor_bytes(spec);
	enum kb_dtype dtype;
	int ret;

	if (bytes == UINT64_MAX)
		return kb_err(err, KB_ERR_INPUT, "no such tensor can be drawn");
	dtype = (enum kb_dtype)spec->dtype;
	ret = kb_draw_check(&how, dtype, err);
	if (ret < 0)
		return ret;

	memcpy(stream.seed, rt->request.seed, sizeof(stream.seed));
	kb_random_fill(data, dtype, bytes / kb_dtype_size_bytes(dtype), &how,
		       &stream);
	return 0;
}
