# Finds the Java installations of this machine. Sourced by bin/lb, bin/verify and other scripts.

# Prints the major version of the Java in directory $1, or nothing if there is none.
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

# Prints "major directory" of every Java: JAVA_HOME, the one on PATH, /usr/lib/jvm.
every_java() {
    local home major on_path seen=:
    on_path=$(command -v java || true)
    if [ -n "$on_path" ]; then
        on_path=$(readlink -f "$on_path")
        on_path=${on_path%/bin/java}
    fi
    for home in "${JAVA_HOME:-}" "$on_path" "${LB_JVM_DIRECTORY:-/usr/lib/jvm}"/*; do
        [ -n "$home" ] && [ -d "$home" ] || continue
        home=$(readlink -f "$home")
        case $seen in *":$home:"*) continue ;; esac
        seen=$seen$home:
        major=$(java_major "$home")
        if [ -n "$major" ]; then
            printf '%s %s\n' "$major" "$home"
        fi
    done
}

# Like every_java, but only versions from 17 on, newest first. For equal versions the order of every_java is kept.
find_javas() {
    local home major
    every_java | while read -r major home; do
        if [ "$major" -ge 17 ]; then
            printf '%s %s\n' "$major" "$home"
        fi
    done | sort -s -k1,1nr
}

# Prints why no Java can be used, and how to install one. $1 is "build" if a compiler is needed.
explain_javas() {
    local major home found=no
    while read -r major home; do
        found=yes
        if [ "$major" -lt 17 ]; then
            echo "found Java $major in $home, but Ballast needs Java 17 or newer"
        elif [ "${1:-}" = build ]; then
            echo "found Java $major in $home, but it has no compiler (bin/javac), which a build needs"
        fi
    done < <(every_java)
    [ "$found" = yes ] || echo "found no Java; Ballast needs Java 17 or newer"
    echo "install one: 'apt install openjdk-17-jdk-headless' (Debian, Ubuntu), 'dnf install java-17-openjdk-devel' (Fedora, RHEL)"
    echo "or https://adoptium.net; if it is installed already, set JAVA_HOME to its directory"
}

# Like find_javas, but only those with a compiler.
find_jdks() {
    local major home
    find_javas | while read -r major home; do
        if [ -x "$home/bin/javac" ]; then
            printf '%s %s\n' "$major" "$home"
        fi
    done
}

# Prints options that suppress Maven's warnings on Java $1: from 24 on, its own libraries cause warnings about Unsafe.
maven_options() {
    if [ "$1" -ge 24 ]; then
        printf '%s' --sun-misc-unsafe-memory-access=allow
    fi
}
