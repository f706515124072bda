# What differs from the main branch, of which `make test` runs all tests. To be sourced at the top of the checkout, after
# `set -e`; `bash Scripts/touched.sh --self-test` tests it.

# Sets `base` to the commit to compare with: SHELFLIST_BASE, or the merge base with the main branch of 'origin'. Where none
# is known, it is empty and nothing counts as touched; `base_note` then says how to run the rest.
find_base() {
    base='' base_note=''
    # Sources that were unpacked may be inside of another repository.
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" != "$(pwd -P)" ]; then
        base_note="This folder is not a git repository, so all tests of what you changed are left out.
    To run every test: make test-all"
    elif [ -n "${SHELFLIST_BASE:-}" ]; then
        base=$(git rev-parse --verify --quiet "$SHELFLIST_BASE^{commit}") || {
            echo "test: SHELFLIST_BASE=$SHELFLIST_BASE is not a commit of this repository. Name one that it has, or fetch it." >&2
            return 2
        }
    elif ! base=$(git merge-base HEAD origin/HEAD 2>/dev/null || git merge-base HEAD origin/main 2>/dev/null); then
        base_note="There is no common commit with a main branch of 'origin', so all tests of what you changed are left out.
    To run those of what changed since a commit: SHELFLIST_BASE=COMMIT make test
    To run every test: make test-all"
    fi
}

# Whether a file below these paths differs from the base, or is new.
touched() { # PATH...
    [ -n "$base" ] || return 1
    ! git diff --quiet "$base" -- "$@" || [ -n "$(git ls-files --others --exclude-standard -- "$@")" ]
}

self_test() (
    set -euo pipefail
    unset SHELFLIST_BASE
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_CEILING_DIRECTORIES=$work
    export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org

    expect() { # FOLDER "PATHS THAT ARE TOUCHED" [yes|no: whether it says how to run the rest]
        local found='' path
        cd "$work/$1"
        find_base || exit 2
        for path in Sources Web; do ! touched "$path" || found+="$path "; done
        [ "$found" = "$2" ] || { echo "touched: $1: '$found' instead of '$2'" >&2; exit 1; }
        [ "$([ -n "$base_note" ] && echo yes || echo no)" = "${3:-no}" ] || { echo "touched: $1: $base_note" >&2; exit 1; }
    }

    git init -q -b main "$work/origin"
    mkdir "$work/origin/"{Sources,Web}
    cd "$work/origin"
    echo 1 | tee Sources/a >Web/a
    git add .
    git commit -qm First
    first=$(git rev-parse HEAD)

    git clone -q "$work/origin" "$work/clone"
    expect clone ''
    echo 2 >Web/a
    expect clone 'Web '
    git commit -qam Second
    expect clone 'Web '
    echo 1 >Sources/new
    expect clone 'Sources Web '
    SHELFLIST_BASE=HEAD expect clone 'Sources '
    rm Sources/new
    SHELFLIST_BASE=$first expect clone 'Web '
    (SHELFLIST_BASE=missing expect clone '') 2>/dev/null && { echo "touched: a missing base is accepted" >&2; exit 1; }

    # A later change of the main branch does not count.
    cd "$work/origin"
    echo 3 >Sources/a
    git commit -qam Third
    git -C "$work/clone" fetch -q
    expect clone 'Web '

    cp -R "$work/clone" "$work/copy"
    git -C "$work/copy" remote remove origin
    expect copy '' yes
    SHELFLIST_BASE=$first expect copy 'Web '

    git clone -q --depth 1 "file://$work/origin" "$work/shallow"
    git -C "$work/shallow" checkout -q --orphan other
    git -C "$work/shallow" commit -qm Other
    expect shallow '' yes

    mkdir "$work/unpacked" "$work/clone/inside"
    cp -R "$work/origin/"{Sources,Web} "$work/unpacked"
    cp -R "$work/origin/"{Sources,Web} "$work/clone/inside"
    expect unpacked '' yes
    expect clone/inside '' yes
    SHELFLIST_BASE=HEAD expect unpacked '' yes
)

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    [ "${1:-}" = --self-test ] || { echo "usage: bash Scripts/touched.sh --self-test" >&2; exit 2; }
    self_test
fi
