#include "asm.h"
	.text
	.globl	NAME
NAME:
	movl	$VALUE, %eax
	retq
	.section	.note.GNU-stack,"",@progbits
