#ifndef KB_BASE_CLONES_H
#define KB_BASE_CLONES_H

/*
 * KB_CLONES in front of a function makes the compiler emit it twice, for
 * any x86-64 and for those with AVX2, and the loader pick one. Only loops
 * that are written to be vectorised gain from it. The function must be
 * static: clang 14 gives an external one a name that nobody can link to.
 *
 * Results do not depend on the pick. AVX2 without FMA computes each
 * element as SSE2 does, and no loop here leaves the order of a
 * floating-point sum to the compiler. What is not promised by the language
 * is that a * b + c is rounded twice: everything is compiled with
 * -ffp-contract=off, and never with -ffast-math.
 */

#ifdef __FAST_MATH__
#error "numbers must be the same on every machine: not with -ffast-math"
#endif

#if defined(__x86_64__) && defined(__gnu_linux__)
#define KB_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define KB_CLONES
#endif

#endif
