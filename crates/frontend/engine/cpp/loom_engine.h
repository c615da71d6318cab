// The whole border between Rust and LLVM: plain C, bytes in, bytes out.
//
// Rules. No exception and no LLVM object crosses it, except that modules made by inkwell and contexts made
// by melior come in as the opaque C handles of those libraries. A loom_bytes argument is borrowed for the
// call. Results are handed to a loom_sink, which copies them before it returns.

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const uint8_t *data;
  size_t length;
} loom_bytes;

/// Receives bytes; called any number of times, each call one value.
typedef struct {
  void *context;
  void (*put)(void *context, loom_bytes value);
} loom_sink;

/// A failed operation: a stable code and a sentence. Called at most once per operation.
typedef struct {
  void *context;
  void (*fail)(void *context, loom_bytes code, loom_bytes message);
} loom_failure;

// ---------------------------------------------------------------- support.cpp

/// Registers every target of this LLVM with all its parsers and printers. Idempotent; every process that
/// writes or checks a payload does it first, since the bitcode writer's output depends on it.
void loom_initialize_targets(void);
/// "22.1.8", clang's full version text, and the build-id of this executable as raw bytes.
void loom_versions(loom_sink llvm, loom_sink clang, loom_sink build_id);
/// Every name this process passed to getenv since the last call, one value each, in order of first use.
void loom_take_consulted_variables(loom_sink name);
/// Replaces the process environment by `count` entries of the form NAME=VALUE.
void loom_set_environment(const loom_bytes *entries, size_t count);

// --------------------------------------------------------------- accesses.cpp

/// One event at the border to the C library. Paths are as they were given, so relative to the working directory.
enum loom_access_kind {
  /// A look-up failed because nothing is there.
  LOOM_ACCESS_ABSENT = 0,
  /// A look-up found something; `numbers` says what.
  LOOM_ACCESS_PRESENT,
  /// As PRESENT, and the answer depended on permissions.
  LOOM_ACCESS_PERMITTED,
  /// A regular file was opened for reading; `other` is its content's SHA-256 if it was too fresh to trust its times.
  LOOM_ACCESS_READ,
  /// The names in a directory were read.
  LOOM_ACCESS_LISTED,
  /// The real path of `path` is `other`.
  LOOM_ACCESS_RESOLVED,
  /// A file was opened for writing.
  LOOM_ACCESS_WRITTEN,
  /// A file that did not exist was made under a name made up for it.
  LOOM_ACCESS_CREATED,
  /// `path` became `other`.
  LOOM_ACCESS_RENAMED,
  /// A file was removed, or was to be and did not exist.
  LOOM_ACCESS_REMOVED,
  /// The result may not be kept; `path` is the reason.
  LOOM_ACCESS_FORBIDDEN,
  /// What went to standard error, in `path`; in `other` the same in other styles (renderings.cpp).
  LOOM_ACCESS_PRINTED,
  /// Program `path` was started with the arguments in `other`, each with a zero byte behind it.
  LOOM_ACCESS_SPAWNED,
  /// What was written into the file that was opened as `path`, in `other`; after all others.
  LOOM_ACCESS_WROTE,
};

typedef struct {
  int64_t file_kind, size, mtime, ctime, taken;
  uint64_t inode, device;
} loom_access_numbers;

typedef struct {
  void *context;
  void (*put)(void *context, int kind, loom_bytes path, loom_bytes other, const loom_access_numbers *numbers);
} loom_access_sink;

/// What decides about the look of messages.
typedef struct {
  /// Whether `columns` and `colours` are known.
  int known;
  /// Whether the terminal decides, rather than an option.
  int follows_columns, follows_colours;
  /// Columns to wrap to, or 0; whether there are colours.
  unsigned columns;
  int colours;
} loom_styles;

/// Starts the log of everything this process looks up, reads, writes and prints, or lets it pause.
void loom_watch_accesses(int on);
/// Hands out the events since the last call in order. The log ends unless it `goes_on`.
void loom_take_accesses(loom_access_sink sink, int goes_on);
/// Whether the times of files have reached the result of a job of this process (cacheability.cpp).
int loom_times_matter(void);

// -------------------------------------------------------------- normalize.cpp

/// Normalizes one bitcode module. On success `triple`, `layout` and `bitcode` each receive one value.
/// Returns 0 on success.
int loom_normalize(loom_bytes bitcode, loom_sink triple, loom_sink layout, loom_sink normalized,
                   loom_failure failure);

// ---------------------------------------------------------------- measure.cpp

/// Processor time, in microseconds, of normalizing the module and of LLVM's own parsing, verifying and writing,
/// in turn, `pairs` times each. Returns 0 on success.
int loom_measure_normalization(loom_bytes bitcode, size_t pairs, uint64_t *normalized, uint64_t *rewritten,
                               loom_failure failure);

// ---------------------------------------------------------------- compile.cpp

enum loom_file_kind { LOOM_FILE_ABSENT = 0, LOOM_FILE_REGULAR = 1, LOOM_FILE_DIRECTORY = 2, LOOM_FILE_OTHER = 3 };

typedef struct {
  int kind;
  uint64_t length;
  /// Equal for two paths exactly when they name one file.
  uint64_t identity[2];
} loom_file_state;

/// A candidate hint. `marker` is 0 for a function. Positions are line and column of carrier, pragma, begin and
/// end.
typedef struct {
  uint64_t marker;
  loom_bytes file;
  uint32_t positions[8];
} loom_hint;

/// What a compile asks its host. `context` is passed back unchanged. A worker sets every callback; the
/// one-shot host leaves all but `payload` and the hints' codec null: files, messages and outputs are then the real ones.
typedef struct {
  void *context;
  /// State of an absolute path.
  void (*file)(void *context, loom_bytes path, loom_file_state *state);
  /// Content of a regular file; returns 0 when it cannot be read.
  int (*content)(void *context, loom_bytes path, loom_sink content);
  /// Names in a directory, one value each: 'd' or 'f', then the name. Returns 0 when it is no directory.
  int (*directory)(void *context, loom_bytes path, loom_sink entries);
  /// Told once when the compile reads the clock (__DATE__, __TIME__, __TIMESTAMP__).
  void (*clock_used)(void *context);
  /// Told when the command sets LLVM options, which are global to the process.
  void (*llvm_options_used)(void *context);
  /// Turns a normalized module into a payload frame and a record frame. Null: no payload is wanted.
  void (*payload)(void *context, loom_bytes triple, loom_bytes layout, loom_bytes bitcode,
                  loom_sink payload_frame, loom_sink record_frame);
  /// The one spelling of a hint.
  void (*encode_hint)(const loom_hint *hint, loom_sink text);
  /// Whether `text` is a hint in its one spelling.
  int (*is_hint)(loom_bytes text);
  /// Whether `#pragma loom candidate` has its meaning. It is an unknown pragma otherwise.
  int takes_candidates;
  /// Whether a job whose object cannot carry a payload says so (-Rloom-payload, decision 20).
  int remark_missing_payload;
  /// A message in structured form; level is clang's DiagnosticsEngine::Level.
  void (*message)(void *context, unsigned level, loom_bytes text, loom_bytes file, uint32_t line,
                  uint32_t column, loom_bytes option);
  /// What would go to standard error.
  void (*rendered)(void *context, loom_bytes text);
  /// The finished main output.
  void (*output)(void *context, loom_bytes content);
  /// A compile whose result may be shared begins: what was looked up until now is not its own. This and the next two are
  /// set where the cache keeps results.
  void (*begin_job)(void *context);
  /// The result of the compile that `invocation` describes, if it is known and can be said in this style: its object and
  /// what it says, one value each, and what its dependency file lists. Returns 0 if not.
  int (*answer_job)(void *context, loom_bytes invocation, loom_styles styles, loom_sink object, loom_sink dependencies,
                    loom_sink said);
  /// The compile that was asked for last has been run, with this status, outputs and dependencies.
  void (*end_job)(void *context, int status, loom_bytes object, loom_bytes dependency_file,
                  const loom_bytes *dependencies, size_t count);
} loom_compile_host;

/// One driver command: plans the jobs of `argv` (argv[0] is the program name) and runs them, cc1 jobs in this
/// process. With `file` set this is a worker compile: exactly one cc1 job is accepted, inputs come
/// from the callbacks and outputs go to `output`. Returns clang's exit status.
int loom_compile(const loom_bytes *argv, size_t argc, loom_bytes cwd, uint64_t clock,
                 const loom_compile_host *host);

/// One job on the real file system, "-cc1" or "-cc1as" first. Returns clang's exit status.
int loom_job(const loom_bytes *arguments, size_t count, const loom_compile_host *host);

// ------------------------------------------------------------------- pack.cpp

/// Compiles one bitcode module to an object that carries its payload, without optimizing it. Only `payload` of
/// the host is used. Returns 0 after `object` received one value.
int loom_pack(loom_bytes bitcode, const loom_compile_host *host, loom_sink object, loom_failure failure);

// --------------------------------------------------------------- carriers.cpp

/// The content of every global of a bitcode module that lies in `section`, one value each, in module order.
/// Returns 0 on success.
int loom_read_carriers(loom_bytes bitcode, loom_bytes section, loom_sink contents, loom_failure failure);

// ------------------------------------------------------------------- fold.cpp

/// Folds the one straight-line function defined in the textual module `ir` for `count` tuples of `arity`
/// arguments, each the low bits of a word. `folded[i]` says whether `results[i]` holds the bits of the result:
/// not for poison, undef and what LLVM leaves alone. Returns 0 on success.
int loom_fold(loom_bytes ir, size_t arity, const uint64_t *operands, size_t count, uint64_t *results,
              uint8_t *folded, loom_failure failure);

// ------------------------------------------------------------------ raise.cpp

/// Imports an LLVM module (an LLVMModuleRef, which stays the caller's) into the MLIR context (an
/// MlirContext's pointer). Returns the pointer of a new MlirModule, or null after calling `failure`.
void *loom_import_into_mlir(void *llvm_module, void *mlir_context, loom_failure failure);
/// Registers the dialects and interfaces that the import needs with an MlirContext's pointer.
void loom_load_import_dialects(void *mlir_context);

// ----------------------------------------------------------- raise_module.cpp

typedef struct {
  /// Bytecode instead of text.
  int bytecode;
  /// Whether operations keep their source locations.
  int locations;
  /// The result is the module's bitcode with its bodies lowered from S0 again, instead of S0.
  int lower;
  /// Recovered candidates keep one unit attribute each; what is written is then the stage before S0.
  int keep_hints;
  /// A candidate that is not found is a failure.
  int require_hints;
  /// MLIR may use several threads.
  int threads;
  /// As in loom_compile_host.
  int (*is_hint)(loom_bytes text);
} loom_raise_options;

/// Raises one bitcode module. `report` receives one JSON object as soon as there is something to tell, also before a
/// failure. Returns 0 after `output` received one value.
int loom_raise(loom_bytes bitcode, const loom_raise_options *options, loom_sink output, loom_sink report,
               loom_failure failure);

// ---------------------------------------------------------- raise_measure.cpp

/// Processor time in microseconds, four figures a round: LLVM's module cloned, imported and verified by MLIR alone;
/// the same raised to verified S0; lowered again; exported and spliced back. Returns 0 on success.
int loom_measure_raising(loom_bytes bitcode, size_t rounds, uint64_t *figures, loom_failure failure);

#ifdef __cplusplus
}
#endif
