#!/usr/bin/env bash
# Unpacks Debian source packages for the tests that build real programs.
#
#   scripts/programs.sh PACKAGE...
#
# Prints the directory that then holds one tree per package: programs/ in the target directory. What is there
# already is not fetched again. The sources come from the archive that the machine's own apt lists name.
set -euo pipefail
cd "$(dirname "$0")/.."

main() {
    local programs
    mkdir -p "${CARGO_TARGET_DIR:-target}/programs"
    programs=$(cd "${CARGO_TARGET_DIR:-target}/programs" && pwd)
    # Tests run at the same time; one of them fetches.
    exec 9>"$programs/lock"
    flock 9
    local package missing=()
    for package in "$@"; do
        [[ -d $programs/$package ]] || missing+=("$package")
    done
    ((${#missing[@]} == 0)) || fetch "$programs" "${missing[@]}"
    echo "$programs"
}

fetch() {
    local programs=$1
    shift
    local state
    state=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$state'" EXIT
    source_lists "$state"
    # A list of another vendor without sources must not keep Debian's from being used: the download decides.
    quietly apt_get "$state" update || true
    (cd "$state" && quietly apt_get "$state" source --download-only "$@") ||
        fail "cannot download the sources of: $*" "they come from the archive that /etc/apt names"
    local package
    for package in "$@"; do
        unpack "$state" "$package" "$programs"
    done
}

# The machine's lists with sources instead of packages, in $1/lists. Both formats of apt name the type first.
source_lists() {
    local list
    mkdir -p "$1/lists" "$1/state/lists/partial" "$1/cache/archives/partial"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
        [[ -f $list ]] || continue
        sed -E 's/^deb([[:space:]])/deb-src\1/; s/^Types:.*/Types: deb-src/' "$list" >"$1/lists/${list##*/}"
    done
    # The plain file has no place in a directory of parts unless its name ends as theirs do.
    [[ ! -f $1/lists/sources.list ]] || mv "$1/lists/sources.list" "$1/lists/machine.list"
}

apt_get() {
    local state=$1
    shift
    apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$state/lists" \
        -o Dir::State::Lists="$state/state/lists" -o Dir::Cache="$state/cache" -o APT::Sandbox::User=root "$@"
}

# Debian's patches are applied, except for lua5.4, where they replace the build system by another.
unpack() {
    local state=$1 package=$2 programs=$3 options=()
    [[ $package != lua5.4 ]] || options=(--skip-patches)
    quietly dpkg-source --no-check "${options[@]}" -x "$state/${package}"_*.dsc "$state/tree-$package" ||
        fail "cannot unpack the source of $package"
    mv "$state/tree-$package" "$programs/$package"
}

# Shows what a command printed only if it fails.
quietly() {
    local output
    output=$("$@" 2>&1 </dev/null) || {
        printf '%s\n' "$output" >&2
        return 1
    }
}

fail() {
    printf 'programs: %s\n' "$@" >&2
    exit 1
}

main "$@"
