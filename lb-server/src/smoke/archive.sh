#!/usr/bin/env bash
# Tries the archives of classes on one Java: archive.sh <java home> <root of the source tree> <lb.jar>. In an installed
# layout of its own, so that nothing of the source tree is changed.
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

# Prints the archives beside the jar.
archives() {
    find "$work/lib" -name 'lb-*.jsa' -o -name 'lb-*.aot'
}

# Makes the archive, which must work without a word.
make() {
    "$lb" archive >"$work/out" 2>&1 || fail "archive: $(cat "$work/out")"
    [ ! -s "$work/out" ] || fail "archive said: $(cat "$work/out")"
}

# Prints how many classes of ours come out of an archive.
from_archive() {
    LB_JAVA_OPTS=-Xlog:class+load "$lb" version | grep -c 'io\.ballast.*source: shared objects file' || true
}

# A start must work and say the same as without any archive.
works_quietly() {
    "$lb" version >"$work/out" 2>&1 || fail "$1: ended with $?: $(cat "$work/out")"
    cmp -s "$work/out" "$work/expected" || fail "$1: not as without an archive: $(cat "$work/out")"
}

# What is no longer the whole archive that it was.
replace() {
    rm -f "$archive"
    cat >"$archive"
}

LB_ARCHIVE=off "$lb" version >"$work/expected"
[ "$(from_archive)" -eq 0 ] || fail "there is an archive before one was made"

# Two at once: one makes it, the other leaves it to that one.
"$lb" archive >"$work/first" 2>&1 &
other=$!
make
wait "$other" || fail "archive: $(cat "$work/first")"
[ ! -s "$work/first" ] || fail "archive said: $(cat "$work/first")"
archive=$(archives)
[ -f "$archive" ] || fail "expected: one archive"
[ "$(find "$work/lib" | wc -l)" -eq 3 ] || fail "something was left behind"
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

# The jar was replaced: the archive of the old one is not looked at; even under the right name it does no harm; and it
# goes when the next one is made.
replace <"$work/good"
touch -d '2001-01-01 00:00:00' "$work/lib/lb.jar"
works_quietly "newer jar"
[ "$(from_archive)" -eq 0 ] || fail "the archive of another jar is used"
make
stale=$archive
archive=$(archives)
[ -f "$archive" ] && [ "$archive" != "$stale" ] || fail "expected: the new archive and not the old one"
[ "$(from_archive)" -gt 0 ] || fail "the new archive is not used"
rm -f "$archive"
archive=${archive%.*.*}.$(stat -c %s "$work/good").${archive##*.}
replace <"$work/good"
works_quietly "archive of another jar"

# Where nothing can be written, the cache of the user is taken, and where that cannot be written either, none.
rm -f "$archive"
if [ "$(id -u)" -ne 0 ]; then
    chmod a-w "$work/lib"
    make
    [ -z "$(archives)" ] && [ "$(from_archive)" -gt 0 ] || fail "the cache of the user is not used"
    chmod u+w "$work/lib"
fi
