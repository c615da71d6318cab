#!/usr/bin/env bash
# Runs every test of the workspace in the release profile and closes with a summary of all test binaries.
#
#   scripts/test.sh [ARGUMENT OF THE TEST HARNESS]...
#
# The tests of package loom-tests look at the built tools, so `make build` comes first.
set -uo pipefail
# No test shares a cache with its user; those of the cache make their own.
export LOOM_CACHE=off
cd "$(dirname "$0")/.." || exit

log=${CARGO_TARGET_DIR:-target}/test.log
started=$SECONDS
cargo test --release --workspace --locked --no-fail-fast -- "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

echo
sed -n 's/^test \(.*\) \.\.\. FAILED$/FAILED \1/p' "$log"
awk -v seconds=$((SECONDS - started)) '
    /^test result:/ {
        binaries++
        for (i = 1; i < NF; i++) {
            if ($(i + 1) == "passed;") passed += $i
            if ($(i + 1) == "failed;") failed += $i
            if ($(i + 1) == "ignored;") ignored += $i
        }
    }
    END {
        printf "%d test binaries in %d s, %d tests left to make test-full\n", binaries, seconds, ignored
        printf "%d passed, %d failed\n", passed, failed
        exit passed == 0
    }' "$log" || status=1
exit "$status"
