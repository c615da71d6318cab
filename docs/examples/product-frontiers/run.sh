#!/usr/bin/env bash
# Compiles a command program without its kernels, and makes each kernel a request of its own.
#
#   docs/examples/product-frontiers/run.sh OUT_DIR
#
# The tools are taken from PATH, else from target/release of this checkout. Every result is checked.
set -euo pipefail

main() {
    local out=${1:?usage: run.sh OUT_DIR} here root
    here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
    root=$(cd "$here/../../.." && pwd)
    command -v loom-compile >/dev/null || PATH=${CARGO_TARGET_DIR:-$root/target}/release:$PATH
    mkdir -p "$out"
    out=$(cd "$out" && pwd)
    cd "$here"

    loom-format --check requester.loom
    loom-format --check stage.loom
    loom-format --check providers.loom

    # The same library as text and as bytecode gives the same product; here one of them is bytecode.
    loom-link --mode=merge --to=bc --output="$out/providers.loombc" providers.loom
    loom-link requester.loom --library=stage.loom --library="$out/providers.loombc" \
        --mode=link --root=@heterogeneous --allow-unresolved --to=bc --output="$out/linked.loombc"

    loom-compile "$out/linked.loombc" --format=loom-command --product=command --root=@heterogeneous \
        --output="$out/manifest.json" --emit-command-artifacts="$out/programs" \
        --emit-kernel-requests="$out/requests"

    check_programs "$out"
    check_requests "$out"
    print_table "$out"
}

check_programs() {
    local manifest=$1/manifest.json
    contains "$manifest" '"symbol":"heterogeneous","artifact":"program-0.loomcmd"'
    contains "$manifest" '"entry_requirements":[0,1,2,3]'
    contains "$manifest" '"symbol":"external"}'
    [[ $(head -c 7 "$1/programs/program-0.loomcmd") == LOOMCMD ]] || fail "program-0.loomcmd is no artifact"
    contains "$manifest" "\"byte_length\":$(wc -c <"$1/programs/program-0.loomcmd")"
}

# A request is an ordinary module: the same tools read it.
check_requests() {
    local requests=("$1"/requests/*.loombc) name
    [[ ${#requests[@]} == 3 ]] || fail "there are ${#requests[@]} requests instead of 3"
    for name in kernel-0 kernel-1 kernel-2; do
        loom-format --to=text --output="$1/requests/$name.loom" "$1/requests/$name.loombc"
        loom-format --check "$1/requests/$name.loom"
    done
    contains "$1/requests/kernel-0.loom" 'kernel.def retain @local'
    contains "$1/requests/kernel-1.loom" 'template.call @small(%size)'
    contains "$1/requests/kernel-2.loom" 'index.assume %size [ge(%size, 128)]'
    contains "$1/requests/kernel-2.loom" 'template.call @large'
}

# What the host must supply: one row for each entry of the manifest.
print_table() {
    local row number=0
    printf '%-18s %-36s %s\n' 'Entry requirement' 'Surviving distinction' 'Child source product'
    while read -r row; do
        local symbol request distinction='Direct physical dispatch' child='None; the host binds the entry.'
        symbol=$(sed 's/.*"symbol":"\([^"]*\)".*/\1/' <<<"$row")
        if [[ $row == *source_request* ]]; then
            request=$(sed 's/.*"source_request":"\([^"]*\)".*/\1/' <<<"$row")
            child=$request
            distinction=$(distinction_of "$1/requests/${request%bc}")
        fi
        printf '%-18s %-36s %s\n' "@$symbol" "$distinction" "$child"
        number=$((number + 1))
    done < <(sed 's/.*"entries":\[//' "$1/manifest.json" | grep -o '{[^}]*}')
    [[ $number == 4 ]] || fail "there are $number requirements instead of 4"
}

# What tells the request in the file apart from others of the same kernel.
distinction_of() {
    local chosen promised
    chosen=$(sed -n 's/.*template\.call \(@[a-z]*\)(.*/\1/p' "$1")
    promised=$(sed -n 's/.*index\.assume %[a-z]* \[\(.*\)\].*/, \1 holds/p' "$1")
    if [[ -n $chosen ]]; then
        printf 'Selects %s%s' "$chosen" "$promised"
    else
        printf 'One local launch class'
    fi
}

contains() {
    grep -qF -- "$2" "$1" || fail "$(basename "$1") does not contain $2"
}

fail() {
    printf 'product-frontiers: %s\n' "$*" >&2
    exit 1
}

main "$@"
