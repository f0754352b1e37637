#include "random/gauss.h"

#include <float.h>

#include "base/clones.h"
#include "random/gauss_pair.h"

_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles");

KB_CLONES static void pairs_generate(double *restrict z,
				     const double *restrict u,
				     const double *restrict v, size_t pairs)
{
	for (size_t j = 0; j < pairs; j++)
		kb_gauss_pair(&z[2 * j], &z[2 * j + 1], u[j], v[j]);
}

void kb_gauss_pairs(double *z, const double *u, const double *v, size_t pairs)
{
	pairs_generate(z, u, v, pairs);
}
