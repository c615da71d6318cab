#!/usr/bin/env bash
# Installs what Loom needs on a Debian 12 machine that has Rust, gcc and apt.
#
#   scripts/setup.sh build|test|bench
#
# Reads scripts/packages.txt and installs only what is missing, quietly. When nothing is missing it calls
# neither apt nor rustc and prints nothing. LOOM_SETUP_LOG names the log of apt (default: target/setup.log).
set -euo pipefail
cd "$(dirname "$0")/.."

readonly LLVM_VERSION=22.1.8
readonly TABLE=scripts/packages.txt

main() {
    local level=${1-}
    local levels
    case "$level" in
        build) levels="build" ;;
        test) levels="build test" ;;
        bench) levels="build test bench" ;;
        *)
            echo "usage: scripts/setup.sh build|test|bench" >&2
            exit 2
            ;;
    esac

    local out=${CARGO_TARGET_DIR:-target}
    local stamp="$out/setup-$level.stamp"
    local state
    state=$(cat "$TABLE" "$0")
    # The stamp holds the very table it was made from, and dpkg has changed nothing since: nothing to do.
    if [[ -f $stamp && ! /var/lib/dpkg/status -nt $stamp && $(<"$stamp") == "$state" ]]; then
        return
    fi

    mkdir -p "$out"
    check_rust
    install_missing "$levels" "${LOOM_SETUP_LOG:-$out/setup.log}"
    check_llvm
    printf '%s\n' "$state" >"$stamp.$$"
    mv "$stamp.$$" "$stamp"
}

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

# Rust is the one tool that is expected to be there: apt's is too old and rustup is the user's own choice.
check_rust() {
    local wanted found
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    if ! command -v cargo >/dev/null || ! command -v rustc >/dev/null; then
        fail "cargo and rustc are not in PATH" "install Rust $wanted or later (rustup), then run this again"
    fi
    found=$(rustc --version | cut -d' ' -f2)
    [[ $(printf '%s\n%s\n' "$wanted" "${found%%-*}" | sort -V | head -n1) == "$wanted" ]] ||
        fail "rustc is $found, Loom needs $wanted or later" "update it (rustup update stable), then run this again"
}

install_missing() {
    local levels=$1 log=$2
    local packages missing
    packages=$(awk -v levels=" $levels " '!/^#/ && NF && index(levels, " " $1 " ") { print $2 }' "$TABLE")
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        fail "no apt on this system; the set-up knows Debian 12 only" \
            "install LLVM, clang, MLIR and lld $LLVM_VERSION with their static archives under /usr/lib/llvm-22," \
            "the counterparts of: ${packages//$'\n'/ }" \
            "then run: cargo build --release --workspace"
    fi
    missing=$(missing_of "$packages")
    [[ -n $missing ]] || return 0
    missing=${missing//$'\n'/ }
    if [[ $(id -u) != 0 ]]; then
        fail "these packages are missing, and only root can install them: $missing" \
            "run as root: apt-get update && apt-get install --no-install-recommends $missing" \
            "then run this again"
    fi
    echo "setup: installing $missing"
    local started=$SECONDS
    : >"$log"
    # An index that names every package may still be stale; then the download fails and a new index helps.
    # shellcheck disable=SC2086
    if ! apt-cache show --no-all-versions $missing >/dev/null 2>&1 || ! apt_install "$missing" "$log"; then
        apt-get -q -o DPkg::Lock::Timeout=300 update >>"$log" 2>&1 ||
            fail_with_log "$log" "apt-get update failed: check the network and /etc/apt/sources.list"
        apt_install "$missing" "$log" ||
            fail_with_log "$log" "apt-get could not install: $missing" \
                "LLVM 22 comes from bookworm-security: that suite must be among the machine's apt sources"
    fi
    missing=$(missing_of "$packages")
    [[ -z $missing ]] || fail_with_log "$log" "still missing after apt-get install: ${missing//$'\n'/ }"
    echo "setup: installed in $((SECONDS - started)) s"
}

# Those of the packages, one a line, that are not installed.
missing_of() {
    local installed
    # shellcheck disable=SC2086,SC2016
    installed=$(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' $1 2>/dev/null | sed -n 's/^ii *//p' || true)
    comm -23 <(sort -u <<<"$1") <(sort -u <<<"$installed")
}

apt_install() {
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        install --no-install-recommends $1 >>"$2" 2>&1 </dev/null
}

fail_with_log() {
    local log=$1
    shift
    tail -n 20 "$log" >&2
    fail "$@" "the whole log is in $log"
}

# A payload names the exact LLVM that wrote it, so another release is another provider, even a patch release.
check_llvm() {
    local found
    found=$(/usr/lib/llvm-22/bin/llvm-config --version 2>/dev/null) ||
        fail "/usr/lib/llvm-22/bin/llvm-config does not run; reinstall llvm-22-dev"
    [[ $found == "$LLVM_VERSION" ]] ||
        fail "LLVM is $found, Loom is pinned to $LLVM_VERSION (llvmorg-$LLVM_VERSION)" \
            "payloads of another release are another provider's: install llvm-22-dev and its kin at $LLVM_VERSION"
}

main "$@"
