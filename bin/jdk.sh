# Finds the Java installations of this machine. Sourced by bin/lb and bin/verify.

# Prints the major version of the Java in directory $1, or nothing if it holds none.
java_major() {
    [ -x "$1/bin/java" ] || return 0
    local version=
    if [ -r "$1/release" ]; then
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    fi
    if [ -z "$version" ]; then
        version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
    fi
    printf '%s' "$version"
}

# Prints "major directory" of every Java from 17 on, newest first: JAVA_HOME, the one on PATH, /usr/lib/jvm.
# Of two with the same version, the earlier named comes first.
find_javas() {
    local home major on_path seen=:
    on_path=$(command -v java || true)
    if [ -n "$on_path" ]; then
        on_path=$(readlink -f "$on_path")
        on_path=${on_path%/bin/java}
    fi
    for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*; do
        [ -n "$home" ] && [ -d "$home" ] || continue
        home=$(readlink -f "$home")
        case $seen in *":$home:"*) continue ;; esac
        seen=$seen$home:
        major=$(java_major "$home")
        if [ -n "$major" ] && [ "$major" -ge 17 ]; then
            printf '%s %s\n' "$major" "$home"
        fi
    done | sort -s -k1,1nr
}

# Like find_javas, but only those that can compile.
find_jdks() {
    local major home
    find_javas | while read -r major home; do
        if [ -x "$home/bin/javac" ]; then
            printf '%s %s\n' "$major" "$home"
        fi
    done
}

# Prints the options that keep Maven quiet on Java $1: from 24 on, its own libraries cause warnings about Unsafe.
maven_options() {
    if [ "$1" -ge 24 ]; then
        printf '%s' --sun-misc-unsafe-memory-access=allow
    fi
}
