; A module whose functions, arguments, globals, calls and instructions carry what LLVM can say about them.
source_filename = "envelope.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm ".globl from_asm"

$any = comdat any
$largest = comdat largest

%struct.point = type { i32, double }

@.note = private unnamed_addr constant [5 x i8] c"mine\00", section "llvm.metadata"
@.file = private unnamed_addr constant [11 x i8] c"envelope.c\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @placed, ptr @.note, ptr @.file, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @attributes, ptr @.note, ptr @.file, i32 2, ptr null }], section "llvm.metadata"
@llvm.used = appending global [1 x ptr] [ptr @placed], section "llvm.metadata"
@placed = hidden global i32 7, section ".mine", align 16
@grouped = linkonce_odr global i32 1, comdat($any), align 4
@per_thread = thread_local(initialexec) global i32 3, align 4
@in_space = addrspace(1) global [4 x i32] zeroinitializer, align 4
@coded = global i32 1, code_model "large", align 4
@parted = global i32 1, partition "one", align 4
@watched = global i32 1, no_sanitize_address, align 4
@absolute = external global i8, !absolute_symbol !26
@other_name = alias i32, ptr @placed
@resolved = ifunc i32 (i32), ptr @resolver

declare i32 @__gcc_personality_v0(...)
declare void @external(ptr) nounwind willreturn memory(argmem: read)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.assume(i1)

define internal ptr @resolver() {
  ret ptr @attributes
}

define weak_odr hidden fastcc signext i8 @convention(i8 zeroext inreg %a, ptr noalias nonnull readonly align 8 dereferenceable(16) captures(none) %b, ptr byval(%struct.point) align 8 %c) unnamed_addr section ".text.mine" comdat($any) align 32 gc "statepoint-example" personality ptr @__gcc_personality_v0 {
  ret i8 %a
}

define void @results(ptr sret(%struct.point) align 8 dead_on_unwind writable initializes((0, 16)) %to, float nofpclass(nan) %f, i64 range(i64 0, 10) %r, ptr nest noundef %n) {
  store i64 %r, ptr %to, align 8
  ret void
}

define i32 @attributes(i32 %n) mustprogress nounwind willreturn memory(none) noinline cold optsize minsize uwtable(sync) vscale_range(1,16) "target-cpu"="x86-64-v3" "target-features"="+avx2,+fma" "frame-pointer"="all" "no-trapping-math"="true" "my-own"="thing" !prof !1 {
  ret i32 %n
}

define i32 @places(ptr %from, ptr addrspace(1) %space, i32 %n) !dbg !20 {
entry:
  %local = alloca i32, align 16, !dbg !22
  call void @llvm.lifetime.start.p0(ptr %local), !dbg !22
  %noted = call ptr @llvm.ptr.annotation.p0.p0(ptr %local, ptr @.note, ptr @.file, i32 3, ptr null), !dbg !22
  call void @llvm.experimental.noalias.scope.decl(metadata !8), !dbg !22
  %first = load volatile i32, ptr %from, align 2, !tbaa !4, !alias.scope !8, !dbg !22
  %second = load atomic i32, ptr %from syncscope("singlethread") acquire, align 4, !noalias !8, !dbg !23
  %third = load i32, ptr addrspace(1) %space, align 4, !invariant.load !0, !mine !0, !dbg !25
  %loaded = load ptr, ptr %from, align 8, !nonnull !0, !dbg !25
  call void @external(ptr %loaded) cold "call"="string", !dbg !25
  store i32 %third, ptr %local, align 16, !nontemporal !11, !dbg !25
  br label %loop, !dbg !22
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %slot = getelementptr inbounds i32, ptr %from, i32 %i, !dbg !22
  store i32 %i, ptr %slot, align 4, !llvm.access.group !12, !dbg !22
  %next = add nuw nsw i32 %i, 1, !dbg !22
  %test = icmp samesign ult i32 %next, %n, !dbg !22
  br i1 %test, label %loop, label %done, !dbg !22, !llvm.loop !13
done:
  call void @llvm.lifetime.end.p0(ptr %local), !dbg !22
  %half = or disjoint i32 %second, 8, !dbg !22
  ret i32 %half, !dbg !22
}

!llvm.module.flags = !{!2, !3}
!llvm.dbg.cu = !{!18}
!my.own = !{!0}
!0 = !{}
!1 = !{!"function_entry_count", i64 42}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"root"}
!7 = distinct !{!7, !"domain"}
!8 = !{!9}
!9 = distinct !{!9, !7, !"scope"}
!11 = !{i32 1}
!12 = distinct !{}
!13 = distinct !{!13, !14, !15, !16}
!14 = !{!"llvm.loop.parallel_accesses", !12}
!15 = !{!"llvm.loop.vectorize.width", i32 8}
!16 = !{!"llvm.loop.unroll.disable"}
!17 = !DIFile(filename: "envelope.c", directory: "/here")
!18 = distinct !DICompileUnit(language: DW_LANG_C11, file: !17, emissionKind: FullDebug)
!19 = !DISubroutineType(types: !0)
!20 = distinct !DISubprogram(name: "places", scope: !17, file: !17, line: 10, type: !19, unit: !18, spFlags: DISPFlagDefinition)
!21 = distinct !DISubprogram(name: "inlined", scope: !17, file: !17, line: 4, type: !19, unit: !18, spFlags: DISPFlagDefinition)
!22 = !DILocation(line: 11, column: 3, scope: !20)
!23 = !DILocation(line: 12, column: 5, scope: !20)
!24 = distinct !DILocation(line: 13, column: 7, scope: !20)
!26 = !{i64 0, i64 256}
!25 = !DILocation(line: 5, column: 9, scope: !21, inlinedAt: !24)
