/* What is put behind the files of problems, from its symbol to that with _end. */
	.section .rodata

	.globl kb_gradients_1, kb_gradients_1_end
	.hidden kb_gradients_1, kb_gradients_1_end
kb_gradients_1:
	.incbin "src/ground/manifest/gradients_1.py"
kb_gradients_1_end:
	.byte 0

	.globl kb_gradients_2, kb_gradients_2_end
	.hidden kb_gradients_2, kb_gradients_2_end
kb_gradients_2:
	.incbin "src/ground/manifest/gradients_2.py"
kb_gradients_2_end:
	.byte 0

	.section .note.GNU-stack, "", %progbits
