/* Costly to compile: by a file without an end, by macros, and what makes an
 * object that is too large. */

#include <kb_native.h>

#ifdef INCLUDE_ZEROS
#include "/dev/zero"
#endif
#ifdef ASSEMBLE_ZEROS
__asm__(".incbin \"/dev/zero\"\n");
#endif
#ifdef FILL
#define TEXT(x) #x
#define FILLED(bytes) ".data\n.fill " TEXT(bytes) ", 1, 1\n.text\n"
__asm__(FILLED(FILL));
#endif

#define TEN(x) x x x x x x x x x x
#define MILLION(x) TEN(TEN(TEN(TEN(TEN(TEN(x))))))

int kb_forward(const struct kb_native_call *call)
{
	int i = call->inputs[0].data != NULL;

#ifdef EXPAND
	TEN(TEN(MILLION(i++;)))
#endif
	return i < 0;
}
