; A module as other front ends write it.
source_filename = "another.lang"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@state = internal global i32 3, align 4

define i32 @advance(i32 %by) #0 {
entry:
  %before = load i32, ptr @state, align 4
  %after = add nsw i32 %before, %by
  store i32 %after, ptr @state, align 4
  ret i32 %after
}

attributes #0 = { nounwind "frame-pointer"="all" }
