#!/usr/bin/env bash
# Loom's main job on real input: what it runs is shown after `$`, what comes out below it.
#
#   scripts/demo.sh DIRECTORY-OF-THE-TOOLS
#
# Every step checks its result, so the demo fails when Loom does.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(cd "${1:?usage: scripts/demo.sh DIRECTORY-OF-THE-TOOLS}" && pwd)
PATH=$tools:$PATH
example=$PWD/docs/examples/product-frontiers
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp scripts/demo/crc32.c docs/examples/product-frontiers/*.loom "$scratch"
cd "$scratch"
export LOOM_CACHE_DIR=$scratch/cache

main() {
    heading "Loom and the LLVM it is pinned to"
    run loom --version

    heading "Source integration: a C file becomes an ordinary object that carries its module"
    run loom-cc -O2 -c crc32.c -o crc32.o
    run loom payload show crc32.o
    run loom payload verify crc32.o

    heading "Any linker takes that object"
    run cc crc32.o -o crc32
    printf 123456789 >check-input
    run ./crc32 check-input
    # CRC-32 of these nine digits is the algorithm's published check value.
    ./crc32 check-input | grep -q '^cbf43926 ' || fail "the program computes a wrong CRC"

    heading "One long-lived session: an edit re-runs what depends on it"
    coproc loom session --stdio
    local request='"method": "artifact", "kind": "payload", "argv": ["cc", "-O2", "-c", "crc32.c"], "digest_only": true'
    ask "{\"id\": 1, $request}"
    ask "{\"id\": 2, $request}"
    printf "$ sed -i '1i/* A comment changes no code. */' crc32.c\n"
    sed -i '1i/* A comment changes no code. */' crc32.c
    ask '{"id": 3, "method": "change", "files": [{"path": "crc32.c", "reread": true}]}'
    ask "{\"id\": 4, $request}"
    local session=$COPROC_PID input=${COPROC[1]}
    exec {input}>&-
    wait "$session" || fail "the session left with status $?"

    heading "Product frontiers: Loom modules, text and bytecode"
    run loom-format --check requester.loom stage.loom providers.loom
    local name
    for name in requester stage providers; do
        run loom-format --to=bc --output="$name.loombc" "$name.loom"
        run loom-format --to=text --output="$name.again" "$name.loombc"
        run cmp "$name.loom" "$name.again"
    done
    size_of ./*.loom ./*.loombc
    heading "The same text came back from the bytecode"
    run loom-format stage.loombc

    heading "A command program compiles without its kernels, and each kernel becomes a request of its own"
    printf '$ docs/examples/product-frontiers/run.sh out\n'
    "$example/run.sh" out || fail "the example left with status $?"
    run loom-compile out/linked.loombc --explain-classes
}

# Sends one line to the session and shows it after `>`, the answer after `<`.
ask() {
    local answer
    printf '> %s\n' "$1"
    printf '%s\n' "$1" >&"${COPROC[1]}"
    read -r -t 60 answer <&"${COPROC[0]}" || fail "the session did not answer"
    printf '< %s\n' "$answer"
    [[ $answer == *'"status":"ok"'* ]] || fail "the session refused"
}

heading() {
    printf '\n# %s\n' "$*"
}

run() {
    printf '$ %s\n' "$*"
    "$@" || fail "the command above left with status $?"
}

fail() {
    printf 'demo: %s\n' "$*" >&2
    exit 1
}

size_of() {
    printf '$ wc -c %s\n' "$(printf '%s ' "${@#./}")"
    wc -c "${@#./}"
}

main
