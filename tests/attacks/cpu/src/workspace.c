#include <stdlib.h>

/* Packs panels of columns into memory that it keeps, and writes all of it anew
 * in each call. */
enum { WIDTH = 64 };

static float *panel;			/* N rows of WIDTH */

static void pack(const float *b, int column)
{
	for (int k = 0; k < N; k++)
		memcpy(&panel[k * WIDTH], &b[k * N + column],
		       WIDTH * sizeof(*panel));
}

int kb_forward(const struct kb_native_call *call)
{
	const float *a = call->inputs[0].data, *b = call->inputs[1].data;
	float *y = call->outputs[0].data;

	if (!panel && !(panel = malloc(N * WIDTH * sizeof(*panel))))
		return KB_NATIVE_NO_MEMORY;
	memset(y, 0, N * N * sizeof(*y));
	for (int column = 0; column < N; column += WIDTH) {
		pack(b, column);
		for (int i = 0; i < N; i++)
			for (int k = 0; k < N; k++)
				for (int j = 0; j < WIDTH; j++)
					y[i * N + column + j] +=
						a[i * N + k] *
						panel[k * WIDTH + j];
	}
	return KB_NATIVE_OK;
}
