define i32 @broken() {
  ret i64 0
}
