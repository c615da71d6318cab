	movq %nowhere, 17 oops
