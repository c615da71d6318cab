//! The user's own `annotate`, which Loom must not confuse with anything of its own.

use super::survives;

#[test]
fn on_functions_and_globals() {
    let source = "__attribute__((annotate(\"kernel\"))) int f(void) { return 1; }
        __attribute__((annotate(\"table\", 3, \"more\"))) int table[4];
        __attribute__((annotate(\"loom_like.candidate\"))) static int g(void) { return 2; }
        int h(void) { return g(); }";
    survives(
        "-O0",
        source,
        &[
            "c\"kernel\\00\", section \"llvm.metadata\"",
            "c\"table\\00\", section \"llvm.metadata\"",
            "@llvm.global.annotations = appending global [3 x { ptr, ptr, ptr, i32, ptr }]",
            "c\"loom_like.candidate\\00\"",
        ],
    );
}

#[test]
fn on_locals_and_fields() {
    let source = "struct sample { __attribute__((annotate(\"gain\"))) int gain; };
        int use(int *);
        int f(struct sample *s) { __attribute__((annotate(\"buffer\"))) int local = s->gain; return use(&local); }";
    survives(
        "-O1",
        source,
        &[
            "call void @llvm.var.annotation.p0.p0(",
            "c\"buffer\\00\"",
            "call ptr @llvm.ptr.annotation.p0.p0(",
            "c\"gain\\00\"",
        ],
    );
}

#[test]
fn on_values_in_statements() {
    let source = "int f(int n) {
        int sum = 0;
        for (int i = 0; i < n; ++i) sum += __builtin_annotation(i, \"step\");
        return sum;
    }";
    survives(
        "-O1",
        source,
        &["call i32 @llvm.annotation.i32.p0(i32 %", "c\"step\\00\""],
    );
}

/// clang checks an annotation on a statement and makes no code of it; so does `loom-cc`.
#[test]
fn on_statements() {
    let source = "void use(int);
        void f(int n) {
          [[clang::annotate(\"hot\")]] for (int i = 0; i < n; ++i) use(i);
          [[clang::annotate(\"call\")]] use(n);
        }";
    survives("-std=c23 -O1", source, &["call void @use("]);
}
