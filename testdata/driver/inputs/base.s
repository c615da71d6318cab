	.text
	.globl	from_assembly
	.type	from_assembly,@function
from_assembly:
	movl	$42, %eax
	retq
	.size	from_assembly, .-from_assembly
	.section	.note.GNU-stack,"",@progbits
