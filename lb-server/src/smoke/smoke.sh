#!/usr/bin/env bash
# Tries the packaged jar on one Java: smoke.sh <java home> <lb.jar>. What only the jar can show belongs here: its
# manifest, what is in it, that it starts without a warning.
set -euo pipefail

java=$1/bin/java
jar=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# check <name> <function>: a check is a function that fails or not; its output is shown if it does.
check() {
    if ("$2") >"$work/log" 2>&1; then
        printf '  ok      %s\n' "$1"
    else
        bad=1
        printf '  FAILED  %s\n' "$1"
        sed 's/^/          /' "$work/log"
    fi
}

# silent <command...>: runs it, shows its stdout, fails if it fails or writes to stderr.
silent() {
    local code=0
    "$@" 2>"$work/stderr" || code=$?
    if [ -s "$work/stderr" ]; then
        echo "stderr of $*:"
        cat "$work/stderr"
        return 1
    fi
    return "$code"
}

names_version() {
    silent "$java" -jar "$jar" version >"$work/out" || return 1
    grep -Eqx 'ballast [0-9]+\.[0-9]+\.[0-9]+[^ ]* \(commit [^ ]+, [^ ]+\)' "$work/out" || {
        cat "$work/out"
        return 1
    }
}

# Not the commit of another worktree, and not none: the tree that the jar was built from.
names_its_commit() {
    local head
    head=$(git -C "$here" log -1 --abbrev=12 --format=%h 2>/dev/null) || head=unknown
    "$java" -jar "$jar" version >"$work/out"
    grep -qF "(commit $head, " "$work/out" || {
        echo "expected: $head"
        cat "$work/out"
        return 1
    }
}

explains_itself() {
    silent "$java" -jar "$jar" --help >"$work/out" && grep -q '^Usage: lb' "$work/out"
}

refuses_unknown_command() {
    local code=0
    "$java" -jar "$jar" no-such-command >/dev/null 2>&1 || code=$?
    [ "$code" -eq 2 ]
}

# Names are looked up and the native transports load with the classes as they are packed.
libraries_work() {
    local options=(-Djava.awt.headless=true)
    if "$java" --help-extra 2>&1 | grep -q -- --enable-native-access; then
        options+=(--enable-native-access=ALL-UNNAMED)
    fi
    "$java" "${options[@]}" -cp "$jar" "$here/PackedLibraries.java"
}

# The jar is what it says and nothing else.
contents_are_right() {
    local entries="$work/entries" manifest="$work/manifest" unwanted
    "$java" "$here/Entries.java" "$jar" >"$entries" 2>"$manifest" || return 1
    for line in 'Main-Class: io.ballast.server.Main' 'Multi-Release: true' 'Enable-Native-Access: ALL-UNNAMED' \
        'Implementation-Title: Ballast'; do
        grep -qxF "$line" "$manifest" || {
            echo "manifest lacks $line"
            return 1
        }
    done
    for entry in META-INF/LICENSE META-INF/NOTICE META-INF/THIRD-PARTY.txt \
        META-INF/services/ch.qos.logback.classic.spi.Configurator; do
        grep -qxF "$entry" "$entries" || {
            echo "lacks $entry"
            return 1
        }
    done
    # Names of the two services by which dnsjava would replace the lookups of the whole JVM; signatures; foreign code.
    unwanted=$(grep -E 'InetAddressResolverProvider$|sun\.net\.spi|\.(SF|DSA|RSA)$|module-info\.class$|\.(dll|jnilib|dylib)$|native/.*(osx|windows|riscv|ppc|s390|loongarch)|^logback-test|^org/junit/' "$entries" || true)
    [ -z "$unwanted" ] || {
        echo "contains: $unwanted"
        return 1
    }
    ours=$(grep -cE '^META-INF/native/libnetty_(transport_native_epoll|transport_native_io_uring42|tcnative_linux)_(x86_64|aarch_64)\.so$' "$entries")
    others=$(grep '\.so$' "$entries" | grep -v '^META-INF/native/libnetty_' | sed -E 's/-[0-9.]+-[0-9]+\.so$/.so/' | LC_ALL=C sort)
    # Corretto's library has the same name for every processor; the jar has that for x86_64.
    expected='com/amazon/corretto/crypto/provider/libamazonCorrettoCryptoProvider.so
lib/linux-aarch64/libbrotli.so
lib/linux-x86_64/libbrotli.so
linux/aarch64/libzstd-jni.so
linux/amd64/libzstd-jni.so'
    [ "$ours" -eq 6 ] && [ "$others" = "$expected" ] || {
        grep '\.so$' "$entries"
        echo "expected: epoll, io_uring, tcnative, Brotli and Zstandard, each for x86_64 and aarch_64, and Corretto's library"
        return 1
    }
}

# As a process: serves, ends gracefully, says why it cannot start.
serves() {
    "$java" "$here/Serving.java" "$java" "$jar"
}

# As a process: another one takes over while clients ask, and none of them notices.
restarts() {
    "$java" "$here/Restarting.java" "$java" "$jar" auto
}

check "lb version: one line, nothing on stderr" names_version
check "lb version: the commit that is checked out" names_its_commit
check "lb --help" explains_itself
check "unknown command: exit code 2" refuses_unknown_command
check "manifest and contents" contents_are_right
check "names resolve, transports load" libraries_work
check "serves, ends gracefully, refuses a bad file and a port in use" serves
check "restarts without a request that fails" restarts
exit "$bad"
