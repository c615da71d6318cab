#!/usr/bin/env bash
# Runs every fuzz test (a test with `fuzz` in its name) for SECONDS each, on the stable toolchain.
#
#   scripts/fuzz.sh SECONDS
#
# Each target replays its corpus (`__fuzz__/TARGET/corpus` beside the test) and goes on with random inputs until its
# own time is over; as many targets run at once as there are cores. `cargo test` runs the same targets with the number
# of inputs that they name. A failure prints the input, made smaller, and the seed that reproduces it:
# `BOLERO_RANDOM_SEED=N cargo test TARGET`.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?usage: scripts/fuzz.sh SECONDS}
log=${CARGO_TARGET_DIR:-target}/fuzz.log
status=0
# Both variables override what a target names itself; the number is there so that only the time counts.
BOLERO_RANDOM_TEST_TIME_MS=$((seconds * 1000)) BOLERO_RANDOM_ITERATIONS=1000000000 \
    cargo test --release --workspace --locked --no-fail-fast -- fuzz --nocapture 2>&1 | tee "$log" || status=$?

echo
sed -n 's/^test \(.*\) \.\.\.\trun time: .* | corpus inputs: \([0-9]*\) | rng inputs: \([0-9]*\).*/\1: \2 from the corpus, \3 random/p' "$log"
sed -n 's/^test \(.*fuzz.*\) \.\.\. FAILED$/FAILED \1/p' "$log"
grep -q '^test .*fuzz' "$log" || {
    echo "fuzz: no test has fuzz in its name" >&2
    exit 1
}
exit "$status"
