//! Ordinary facts of LLVM's that go from source to payload.

use loom_frontend::payload::ModuleAuthority;

use super::super::{Compiled, Worker};
use super::survives;

#[test]
fn flags_of_instructions() {
    let source = "int next(int a) { return a + 1; }
        unsigned wrap(unsigned a) { return a + 1; }
        double fast(double a, double b) { return a * b + a; }
        int *at(int *p, long i) { return p + i; }
        unsigned whole(unsigned a) { return a / 4 * 4; }";
    survives(
        "-O1 -ffast-math",
        source,
        &[
            "add nsw i32",
            "add i32 %0, 1",
            "fmul fast double",
            "getelementptr inbounds",
        ],
    );
}

#[test]
fn attributes_of_functions_parameters_and_calls() {
    let source = "struct big { long v[8]; };
        __attribute__((noinline, cold, target(\"avx2\"))) int rare(signed char c, struct big b) { return c + (int)b.v[3]; }
        __attribute__((pure)) int look(const int *p);
        int take(struct big b) { return rare(3, b); }
        __attribute__((returns_nonnull)) int *give(int *p) { return p + look(p); }";
    survives(
        "-O1 -fno-omit-frame-pointer",
        source,
        &[
            "i8 noundef signext",
            "byval(%struct.big) align 8",
            "noinline",
            "cold",
            "\"target-features\"=\"+avx",
            "\"frame-pointer\"=\"all\"",
            "nounwind willreturn memory(read)",
            "define dso_local nonnull ptr @give",
        ],
    );
}

#[test]
fn attributes_of_one_call() {
    let source = "void other(void);
        int step(int *p);
        int after(int *p) { [[clang::noinline]] other(); [[clang::musttail]] return step(p); }
        void quick(void) { [[clang::always_inline]] other(); }";
    survives(
        "-std=c23 -O1",
        source,
        &[
            "call void @other() #",
            "musttail call",
            "noinline",
            "alwaysinline",
        ],
    );
}

#[test]
fn debug_information_with_lexical_scopes() {
    let source = "int use(int);
        int scopes(int a) {
          int outer = a;
          { int inner = use(outer); outer += inner; }
          for (int i = 0; i < a; ++i) { int deepest = use(i); outer += deepest; }
          return outer;
        }";
    let text = survives(
        "-g -O0 -fdebug-compilation-dir=.",
        source,
        &[
            "!DICompileUnit(language: DW_LANG_C11",
            "!DISubprogram(name: \"scopes\"",
            "!DILocalVariable(name: \"deepest\"",
            "!DILocation(line: ",
            "#dbg_declare(ptr",
            "!DIFile(filename: \"unit.c\"",
            "checksumkind: CSK_MD5",
        ],
    );
    assert_eq!(
        text.matches("distinct !DILexicalBlock(scope: ").count(),
        4,
        "{text}"
    );
}

#[test]
fn flags_of_the_module() {
    let facts = [
        "!{i32 1, !\"wchar_size\", i32 2}",
        "!{i32 8, !\"PIC Level\", i32 2}",
        "!{i32 7, !\"uwtable\", i32 2}",
        "!{i32 8, !\"cf-protection-return\", i32 1}",
        "!{i32 7, !\"Dwarf Version\", i32 4}",
        "!\"Code Model\", i32 4",
    ];
    survives(
        "-fshort-wchar -fPIC -fcf-protection=full -gdwarf-4 -mcmodel=large -fdebug-compilation-dir=.",
        "int f(void) { return 1; }",
        &facts,
    );
}

#[test]
fn metadata_of_loops() {
    let source = "void scale(float *p, int n) {
        #pragma clang loop vectorize_width(8) interleave_count(2)
        for (int i = 0; i < n; ++i) p[i] *= 2;
        #pragma clang loop unroll(disable)
        for (int i = 0; i < n; ++i) p[i] += 1;
        #pragma clang loop distribute(enable)
        while (n--) p[n] = -p[n];
    }";
    survives(
        "-O0",
        source,
        &[
            "!\"llvm.loop.vectorize.width\", i32 8",
            "!\"llvm.loop.interleave.count\", i32 2",
            "!\"llvm.loop.unroll.disable\"",
            "!\"llvm.loop.distribute.enable\", i1 true",
            "!\"llvm.loop.mustprogress\"",
            "br label %",
        ],
    );
}

#[test]
fn restrict_becomes_noalias_and_stays() {
    let source = "static void add(int *restrict to, const int *restrict from) { *to += *from; *to += *from; }
        void twice(int *a, int *b) { add(a, b); add(b, a); }
        void *make(unsigned long n) __attribute__((malloc));
        int *fresh(void) { return make(4); }
        int typed(float *f, int *i) { *i = 1; *f = 2; return *i; }";
    survives(
        "-O2",
        source,
        &[
            "!alias.scope !",
            "!noalias !",
            "@llvm.experimental.noalias.scope.decl",
            "declare noalias ptr @make",
            "!\"omnipotent char\"",
        ],
    );
    survives(
        "-O0",
        "void copy(int *restrict to, const int *restrict from) { *to = *from; }",
        &["ptr noalias noundef"],
    );
}

#[test]
fn alignment() {
    let source = "_Alignas(64) int table[16];
        struct __attribute__((packed, aligned(2))) odd { char c; int v; };
        int read_odd(struct odd *o) { return o->v; }
        void clear(double *p, int n) {
          double *q = __builtin_assume_aligned(p, 32);
          for (int i = 0; i < n; ++i) q[i] = 0;
        }
        __attribute__((aligned(128))) void far(void) {}";
    survives(
        "-O1",
        source,
        &[
            "@table = dso_local local_unnamed_addr global [16 x i32] zeroinitializer, align 64",
            "align 1",
            "[ \"align\"(ptr %0, i64 32) ]",
            "align 128",
        ],
    );
}

#[test]
fn address_spaces() {
    let source = "typedef __attribute__((address_space(3))) int near_int;
        near_int near;
        int load(near_int *p) { return *p + near; }
        __attribute__((address_space(5))) char *cast(near_int *p) { return (__attribute__((address_space(5))) char *)p; }";
    survives(
        "-O1",
        source,
        &[
            "addrspace(3) global i32 0",
            "ptr addrspace(3) noundef",
            "addrspacecast ptr addrspace(3) %0 to ptr addrspace(5)",
        ],
    );
}

#[test]
fn lifetimes() {
    let source = "void fill(char *);
        int both(int a) { { char one[64]; fill(one); a += one[0]; } { char two[32]; fill(two); a += two[1]; } return a; }";
    let text = survives("-O1", source, &[]);
    assert_eq!(
        text.matches("call void @llvm.lifetime.start.p0(").count(),
        2,
        "{text}"
    );
    assert_eq!(
        text.matches("call void @llvm.lifetime.end.p0(").count(),
        2,
        "{text}"
    );
}

#[test]
fn symbols_comdats_and_inline_assembly() {
    let source = "__asm__(\".globl from_assembly\\nfrom_assembly: ret\");
        template <typename T> struct Box { static T value; T get() const { return value; } };
        template <typename T> T Box<T>::value = T(7);
        __attribute__((visibility(\"hidden\"))) int hidden = 2;
        __attribute__((weak)) int maybe() { return Box<int>().get(); }
        inline int shared() { static int count; return ++count; }
        int call() { __asm__ volatile(\"nop\" ::: \"memory\"); return shared() + maybe() + hidden; }
        extern \"C\" int renamed() __attribute__((alias(\"_Z4callv\")));";
    survives(
        "-x c++ -O0",
        source,
        &[
            "module asm \"from_assembly: ret\"",
            "$_ZN3BoxIiE5valueE = comdat any",
            "linkonce_odr dso_local global i32 7, comdat",
            "@hidden = hidden global i32 2",
            "define weak",
            "@renamed = dso_local alias i32 (), ptr @_Z4callv",
            "call void asm sideeffect \"nop\", \"~{memory}",
        ],
    );
}

/// The layout of an ABI other than the target's default is the module's own and is not replaced.
#[test]
fn the_layout_of_an_abi() {
    let source = "long f(long a) { return a; }";
    let default = Compiled::new("--target=riscv64-unknown-elf -march=rv64i -mabi=lp64", source).data_layout();
    let payload = Compiled::new("--target=riscv64-unknown-elf -march=rv64e -mabi=lp64e", source);
    assert_eq!(payload.data_layout(), "e-m:e-p:64:64-i64:64-i128:128-n32:64-S64");
    assert_eq!(default, "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128");
    assert!(
        payload
            .text()
            .contains("target datalayout = \"e-m:e-p:64:64-i64:64-i128:128-n32:64-S64\"")
    );
}

/// A spelling that LLVM would write differently stays as the module has it. (clang gives its own layout to the
/// modules it is asked to compile, so the module comes from elsewhere.)
#[test]
fn the_spelling_of_a_layout() {
    let layout =
        "e-i64:64-m:e-p:64:64:64:64-p270:32:32-p271:32:32-p272:64:64-i128:128-f80:128-n8:16:32:64-S128";
    let module = |layout: &str| {
        let triple = "x86_64-linux-gnu";
        format!(
            "target datalayout = \"{layout}\"\ntarget triple = \"{triple}\"\ndefine void @f() {{\n  ret void\n}}\n"
        )
    };
    let worker = Worker::start();
    let kept = worker
        .normalize(module(layout).as_bytes())
        .expect("the module is valid");
    assert_eq!(kept.data_layout, layout);
    assert_eq!(kept.triple, "x86_64-unknown-linux-gnu");
    let again = worker
        .normalize(kept.bitcode.bytes())
        .expect("the module is valid");
    assert_eq!(again, kept);

    let usual = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
    let equivalent = worker
        .normalize(module(usual).as_bytes())
        .expect("the module is valid");
    assert_ne!(
        equivalent.bitcode.digest(),
        kept.bitcode.digest(),
        "equivalent spellings stay distinct"
    );
}

/// What a function is called says nothing about it.
#[test]
fn a_library_call_gets_no_meaning_from_its_name() {
    let source = |name: &str| {
        format!(
            "void {name}(float *, const float *, int);
             void run(float *a, float *b, int n) {{ {name}(a, b, n); {name}(b, a, n); }}"
        )
    };
    let plain = Compiled::new("-O2", &source("some_function")).text();
    for name in [
        "arm_fir_f32",
        "cblas_sgemm",
        "loom_dispatch",
        "tosa_conv2d",
        "omp_target",
    ] {
        let other = Compiled::new("-O2", &source(name)).text();
        assert_eq!(other.replace(name, "some_function"), plain, "{name}");
    }
}
