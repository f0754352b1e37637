/*
 * The file FATBIN as the bytes NAME, and how many they are as NAME_BYTES,
 * a uint64_t; 0 if there was no nvcc.
 */
	.section .rodata
	.balign 64
	.globl NAME
	.hidden NAME
NAME:
	.incbin FATBIN
1:
	.balign 8
	.globl NAME_BYTES
	.hidden NAME_BYTES
NAME_BYTES:
	.quad 1b - NAME
	.section .note.GNU-stack, "", %progbits
