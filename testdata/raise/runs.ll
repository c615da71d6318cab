; Constructs that upstream's import, export or lowering gets wrong, as far as this target runs them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @callee(i32)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fptrunc.f64.f80(x86_fp80, metadata, metadata)

@patched = externally_initialized global i32 5
@labels = constant [2 x ptr] [ptr blockaddress(@computed_goto, %one), ptr blockaddress(@computed_goto, %two)]
@aliased = alias double (double, double), ptr @constrained_fp

define i32 @asm_goto(i32 %n) {
  callbr void asm sideeffect "", "!i"() to label %next [label %taken]
next:
  ret i32 %n
taken:
  ret i32 7
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

define double @calls_alias(double %a) {
  %result = call double @aliased(double %a, double %a)
  ret double %result
}

define i32 @computed_goto(i64 %at) {
  %slot = getelementptr ptr, ptr @labels, i64 %at
  %label = load ptr, ptr %slot
  indirectbr ptr %label, [label %one, label %two]
one:
  ret i32 11
two:
  ret i32 22
}

define i32 @switch_i8(i8 %n) {
  switch i8 %n, label %other [
    i8 -1, label %to0
    i8 5, label %to1
    i8 127, label %to2
  ]
to0:
  ret i32 1
to1:
  ret i32 2
to2:
  ret i32 3
other:
  ret i32 0
}

define i32 @switch_i32(i32 %n) {
  switch i32 %n, label %other [
    i32 -1, label %to0
    i32 5, label %to1
    i32 2147483647, label %to2
  ]
to0:
  ret i32 1
to1:
  ret i32 2
to2:
  ret i32 3
other:
  ret i32 0
}

define i32 @switch_i64(i64 %n) {
  switch i64 %n, label %other [
    i64 -1, label %to0
    i64 1, label %to1
    i64 4294967297, label %to2
    i64 8589934593, label %to3
  ]
to0:
  ret i32 1
to1:
  ret i32 2
to2:
  ret i32 3
to3:
  ret i32 4
other:
  ret i32 0
}

define i200 @wide_integer(i200 %n, i1 %test) {
  br i1 %test, label %yes, label %no
yes:
  %square = mul i200 %n, %n
  ret i200 %square
no:
  ret i200 %n
}

define i64 @wide_top(i64 %n) {
  %wide = zext i64 %n to i200
  %square = call i200 @wide_integer(i200 %wide, i1 true)
  %top = lshr i200 %square, 64
  %result = trunc i200 %top to i64
  ret i64 %result
}
