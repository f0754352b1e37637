#ifndef KB_MANIFEST_DERIVATION_H
#define KB_MANIFEST_DERIVATION_H

/* In what a suite differs from its parent. */
enum kb_derivation {
	KB_DERIVATION_NONE,		/* it has no parent */
	KB_DERIVATION_SIZES,
	KB_DERIVATION_BACKWARD,
	KB_DERIVATION_BOTH,
	KB_DERIVATION_COUNT,		/* none of them */
};

#endif
