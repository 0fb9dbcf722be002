#!/usr/bin/env bash
# Tests the packaged jar on one Java version: smoke.sh <java home> <lb.jar>. Contains the tests that need the jar: of its
# manifest, its contents, and its start without warnings.
set -euo pipefail

java=$1/bin/java
jar=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# check <name> <function>: runs a function, and shows its output if it fails.
check() {
    if ("$2") >"$work/log" 2>&1; then
        printf '  ok      %s\n' "$1"
    else
        failed=1
        printf '  FAILED  %s\n' "$1"
        sed 's/^/          /' "$work/log"
    fi
}

# silent <command...>: runs a command and passes on its stdout. Fails if the command fails or writes to stderr.
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

# The version contains the commit of the source tree that the jar was built from, not that of another worktree.
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

prints_help() {
    silent "$java" -jar "$jar" --help >"$work/out" && grep -q '^Usage: lb' "$work/out"
}

refuses_unknown_command() {
    local code=0
    "$java" -jar "$jar" no-such-command >/dev/null 2>&1 || code=$?
    [ "$code" -eq 2 ]
}

# Name lookups work and the native transports load from the packed jar.
libraries_work() {
    local options=(-Djava.awt.headless=true)
    if "$java" --help-extra 2>&1 | grep -q -- --enable-native-access; then
        options+=(--enable-native-access=ALL-UNNAMED)
    fi
    "$java" "${options[@]}" -cp "$jar" "$here/LibrarySmokeTest.java"
}

# The jar has the expected manifest and contains nothing unexpected.
contents_are_right() {
    local entries="$work/entries" manifest="$work/manifest" unwanted
    "$java" "$here/JarEntries.java" "$jar" >"$entries" 2>"$manifest" || return 1
    for line in 'Main-Class: io.ballast.server.Main' 'Multi-Release: true' 'Enable-Native-Access: ALL-UNNAMED' \
        'Implementation-Title: Ballast'; do
        grep -qxF "$line" "$manifest" || {
            echo "manifest lacks $line"
            return 1
        }
    done
    for entry in META-INF/LICENSE META-INF/NOTICE META-INF/THIRD-PARTY.txt META-INF/sbom/application.cdx.json \
        META-INF/services/ch.qos.logback.classic.spi.Configurator; do
        grep -qxF "$entry" "$entries" || {
            echo "missing entry: $entry"
            return 1
        }
    done
    # Two services with which dnsjava would replace the name lookups of the whole JVM; signatures; libraries for other systems.
    unwanted=$(grep -E 'InetAddressResolverProvider$|sun\.net\.spi|\.(SF|DSA|RSA)$|module-info\.class$|\.(dll|jnilib|dylib)$|native/.*(osx|windows|riscv|ppc|s390|loongarch)|^logback-test|^org/junit/' "$entries" || true)
    [ -z "$unwanted" ] || {
        echo "contains: $unwanted"
        return 1
    }
    ours=$(grep -cE '^META-INF/native/libnetty_(transport_native_epoll|transport_native_io_uring42|tcnative_linux|quiche42_linux)_(x86_64|aarch_64)\.so$' "$entries")
    others=$(grep '\.so$' "$entries" | grep -v '^META-INF/native/libnetty_' | sed -E 's/-[0-9.]+-[0-9]+\.so$/.so/' | LC_ALL=C sort)
    # Corretto's library has the same name for every processor; the jar contains the one for x86_64.
    expected='com/amazon/corretto/crypto/provider/libamazonCorrettoCryptoProvider.so
lib/linux-aarch64/libbrotli.so
lib/linux-x86_64/libbrotli.so
linux/aarch64/libzstd-jni.so
linux/amd64/libzstd-jni.so'
    [ "$ours" -eq 8 ] && [ "$others" = "$expected" ] || {
        grep '\.so$' "$entries"
        echo "expected: epoll, io_uring, tcnative, quiche, Brotli and Zstandard, each for x86_64 and aarch_64, and Corretto's library"
        return 1
    }
}

# The list of components names every library in the jar.
components_are_listed() {
    "$java" "$here/SbomSmokeTest.java" "$jar"
}

# The process serves, ends gracefully, and reports why it cannot start.
serves() {
    "$java" "$here/ServingSmokeTest.java" "$java" "$jar"
}

# A new process takes over while clients send requests; no request fails.
restarts() {
    "$java" "$here/RestartSmokeTest.java" "$java" "$jar" auto
}

check "lb version: one line, nothing on stderr" names_version
check "lb version: the checked-out commit" names_its_commit
check "lb --help" prints_help
check "unknown command: exit code 2" refuses_unknown_command
check "manifest and contents" contents_are_right
check "list of components (SBOM)" components_are_listed
check "names resolve, transports load" libraries_work
check "serves, ends gracefully, refuses a bad file and a port in use" serves
check "restarts without failed requests" restarts
exit "$failed"
