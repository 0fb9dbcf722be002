#!/usr/bin/env bash
# Tests class archives on one Java version: archive.sh <java home> <root of the source tree> <lb.jar>. Uses a temporary
# installation, so that the source tree stays unchanged.
set -euo pipefail

export LB_JAVA=$1
root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LB_ARCHIVE LB_JAVA_OPTS
export XDG_CACHE_HOME=$work/cache

mkdir "$work/bin" "$work/lib"
cp "$root"/bin/lb "$root"/bin/*.sh "$root"/bin/*.options "$work/bin"
cp "$3" "$work/lib/lb.jar"
lb=$work/bin/lb

fail() {
    printf '%s\n' "$*"
    ls -la "$work/lib"
    exit 1
}

# Prints the paths of the archives next to the jar.
archives() {
    find "$work/lib" -name 'lb-*.jsa' -o -name 'lb-*.aot'
}

# Creates the archive, which must succeed without output.
make() {
    "$lb" archive >"$work/out" 2>&1 || fail "archive: $(cat "$work/out")"
    [ ! -s "$work/out" ] || fail "output of archive: $(cat "$work/out")"
}

# Prints the number of Ballast's classes that are loaded from an archive.
from_archive() {
    LB_JAVA_OPTS=-Xlog:class+load "$lb" version | grep -c 'io\.ballast.*source: shared objects file' || true
}

# A start must succeed with the same output as without an archive.
works_quietly() {
    "$lb" version >"$work/out" 2>&1 || fail "$1: exit code $?: $(cat "$work/out")"
    cmp -s "$work/out" "$work/expected" || fail "$1: output differs from that without an archive: $(cat "$work/out")"
}

# Replaces the archive by a damaged or different file from stdin.
replace() {
    rm -f "$archive"
    cat >"$archive"
}

LB_ARCHIVE=off "$lb" version >"$work/expected"
[ "$(from_archive)" -eq 0 ] || fail "an archive is used before one was created"

# Two concurrent commands: one creates the archive, the other one does nothing.
"$lb" archive >"$work/first" 2>&1 &
other=$!
make
wait "$other" || fail "archive: $(cat "$work/first")"
[ ! -s "$work/first" ] || fail "output of archive: $(cat "$work/first")"
archive=$(archives)
[ -f "$archive" ] || fail "expected exactly one archive"
[ "$(find "$work/lib" | wc -l)" -eq 3 ] || fail "temporary files remain"
[ "$(from_archive)" -gt 0 ] || fail "the archive is not used"
works_quietly "with an archive"
cp "$archive" "$work/good"

replace </dev/null
works_quietly "empty archive"
replace < <(head -c 100000 "$work/good")
works_quietly "archive cut off early"
replace < <(head -c 15000000 "$work/good")
works_quietly "archive cut off late"
replace < <(head -c "$(stat -c %s "$work/good")" /dev/zero)
works_quietly "archive of zeros"

# A replaced jar: the archive of the old jar is ignored, does no harm even under the name of the new archive, and is deleted
# when the next archive is created.
replace <"$work/good"
touch -d '2001-01-01 00:00:00' "$work/lib/lb.jar"
works_quietly "newer jar"
[ "$(from_archive)" -eq 0 ] || fail "the archive of another jar is used"
make
stale=$archive
archive=$(archives)
[ -f "$archive" ] && [ "$archive" != "$stale" ] || fail "expected only the new archive"
[ "$(from_archive)" -gt 0 ] || fail "the new archive is not used"
rm -f "$archive"
archive=${archive%.*.*}.$(stat -c %s "$work/good").${archive##*.}
replace <"$work/good"
works_quietly "archive of another jar"

# If the directory of the jar is not writable, the user's cache directory is used. If that is not writable either, there is no
# archive.
rm -f "$archive"
if [ "$(id -u)" -ne 0 ]; then
    chmod a-w "$work/lib"
    make
    [ -z "$(archives)" ] && [ "$(from_archive)" -gt 0 ] || fail "the cache directory of the user is not used"
    chmod u+w "$work/lib"
fi
