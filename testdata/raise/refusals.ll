; One function for each reason not to lift, or not to import, with one beside them that is lifted.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__gxx_personality_v0(...)
declare void @may_throw()
declare i32 @callee(i32)
declare void @noop() convergent
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fptrunc.f64.f80(x86_fp80, metadata, metadata)
declare i64 @llvm.read_register.i64(metadata)
declare i1 @llvm.type.test(ptr, metadata)
declare token @llvm.experimental.convergence.entry()
declare void @llvm.deoptimize()

@labels = constant [2 x ptr] [ptr blockaddress(@computed_goto, %one), ptr blockaddress(@computed_goto, %two)]
@asm_labels = constant ptr blockaddress(@asm_goto, %taken)
@handlers = constant ptr no_cfi @plain
@patched = externally_initialized constant i32 5

define i32 @plain(i32 %n) {
entry:
  %test = icmp sgt i32 %n, 0
  br i1 %test, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define void @invoke() personality ptr @__gxx_personality_v0 {
  invoke void @may_throw() to label %done unwind label %pad
done:
  ret void
pad:
  %caught = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %caught
}

define void @computed_goto(i64 %at) {
  %slot = getelementptr ptr, ptr @labels, i64 %at
  %label = load ptr, ptr %slot
  indirectbr ptr %label, [label %one, label %two]
one:
  ret void
two:
  ret void
}

define i32 @asm_goto(i32 %n) {
  callbr void asm sideeffect "", "!i"() to label %next [label %taken]
next:
  ret i32 %n
taken:
  ret i32 7
}

define ptr @asm_goto_label() {
  ret ptr blockaddress(@asm_goto, %taken)
}

define i32 @musttail(i32 %n) {
  %test = icmp sgt i32 %n, 0
  br i1 %test, label %yes, label %no
yes:
  %result = musttail call i32 @callee(i32 %n)
  ret i32 %result
no:
  ret i32 2
}

define i32 @returns_twice(ptr %function, i32 %n) {
  %first = call i32 %function() returns_twice
  %test = icmp eq i32 %first, 0
  br i1 %test, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 %first
}

define i32 @operand_bundles(i32 %n) {
  %test = icmp sgt i32 %n, 0
  br i1 %test, label %yes, label %no
yes:
  %result = call i32 @callee(i32 %n) [ "deopt"(i32 %n) ]
  ret i32 %result
no:
  ret i32 2
}

define void @convergence(i1 %test) convergent {
  %token = call token @llvm.experimental.convergence.entry()
  br i1 %test, label %yes, label %no
yes:
  call void @noop() [ "convergencectrl"(token %token) ]
  ret void
no:
  ret void
}

define double @constrained_fp(double %a, double %b) strictfp {
  %sum = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret double %sum
}

define double @constrained_cast(x86_fp80 %a, i1 %test) strictfp {
  br i1 %test, label %yes, label %no
yes:
  %cut = call double @llvm.experimental.constrained.fptrunc.f64.f80(x86_fp80 %a, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret double %cut
no:
  ret double 0.0
}

define i64 @metadata_argument() {
  %value = call i64 @llvm.read_register.i64(metadata !0)
  ret i64 %value
}

define i1 @type_test(ptr %object) {
  %is = call i1 @llvm.type.test(ptr %object, metadata !"shape")
  ret i1 %is
}

define ptr @no_cfi() {
  ret ptr no_cfi @plain
}

define i32 @naked(i32 %n) naked {
  call void asm sideeffect "movl $$3, %eax; retq", ""()
  unreachable
}

define i32 @prefixed(i32 %n) prefix i32 123 prologue i8 -112 {
  %test = icmp sgt i32 %n, 0
  br i1 %test, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @wide_switch(i128 %n) {
entry:
  switch i128 %n, label %other [
    i128 1, label %one
    i128 1180591620717411303424, label %huge
    i128 18446744073709551615, label %one
  ]
one:
  %from = phi i32 [ 10, %entry ], [ 10, %entry ]
  ret i32 %from
huge:
  ret i32 70
other:
  ret i32 0
}

define i32 @reads_patched(i1 %test) {
  br i1 %test, label %yes, label %no
yes:
  %value = load i32, ptr @patched
  ret i32 %value
no:
  ret i32 0
}

@aliased = alias double (double, double), ptr @constrained_fp

define double @calls_alias(double %a) {
  %result = call double @aliased(double %a, double %a)
  ret double %result
}

!0 = !{!"rsp"}
