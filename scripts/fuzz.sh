#!/usr/bin/env bash
# Runs every fuzz test (a test with `fuzz` in its name) for SECONDS each, on the stable toolchain.
#
#   scripts/fuzz.sh SECONDS
#
# `cargo test` runs the same harnesses with few inputs. A failure prints the seed that reproduces it.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?usage: scripts/fuzz.sh SECONDS}
log=${CARGO_TARGET_DIR:-target}/fuzz.log
BOLERO_RANDOM_TEST_TIME_MS=$((seconds * 1000)) BOLERO_RANDOM_ITERATIONS=1000000000 \
    cargo test --release --workspace --locked --no-fail-fast -- fuzz --nocapture 2>&1 | tee "$log"
grep -q '^test .*fuzz' "$log" || {
    echo "fuzz: no test has fuzz in its name" >&2
    exit 1
}
