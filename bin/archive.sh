# Class archives, which reduce the start time and the memory of Java. Sourced by bin/lb.
#
# An archive belongs to one jar, one Java and one options file; its name contains a checksum of these, and its size. Java
# ignores an archive that does not match, but Java 17 crashes (SIGBUS) if the file was truncated. Therefore the size is
# compared here. Java 25 and newer also store method profiles in it (an AOT cache).

readonly ARCHIVE_DELAY_SECONDS=10 # delay before an archive is created in the background: longer than any start
readonly ARCHIVE_LOCK_MINUTES=10  # age after which the lock of another process counts as abandoned
# Memory limit in MiB below which no archive is created in the background: the training run is a second JVM, and the
# system might kill the first one.
readonly TRAINING_MB=640

# Prints size and time of the files $@, with GNU or BSD stat.
file_facts() {
    stat -L -c '%n %s %Y' "$@" 2>/dev/null || stat -L -f '%N %z %m' "$@"
}

# Prints a short checksum of the text on stdin.
checksum() {
    cksum | tr ' ' '-'
}

# Prints the common beginning of archive names for java home $1, jar $2, options $3; size and kind follow.
archive_name() {
    local place content
    place=$(printf '%s\n' "$1" "$2" | checksum)
    content=$({
        file_facts "$1/lib/modules" "$2"
        cat "$3"
    } | checksum)
    printf 'lb-%s.%s' "$place" "$content"
}

# Prints the directories for archives of jar $1, the preferred one first. Other users must not be able to write there,
# because an archive contains code.
archive_directories() {
    dirname "$1"
    if [ -n "${XDG_CACHE_HOME:-}" ]; then
        printf '%s\n' "$XDG_CACHE_HOME/ballast"
    elif [ -n "${HOME:-}" ]; then
        printf '%s\n' "$HOME/.cache/ballast"
    fi
}

# Prints the size of file $1 in bytes.
file_size() {
    stat -L -c %s "$1" 2>/dev/null || stat -L -f %z "$1"
}

# Prints the path of a complete archive for jar $2 whose name begins with $1; or nothing.
find_archive() {
    local directory file size
    while read -r directory; do
        for file in "$directory/$1".*.jsa "$directory/$1".*.aot; do
            size=${file%.*}
            size=${size##*.}
            if [ -r "$file" ] && [ "$(file_size "$file")" = "$size" ]; then
                printf '%s' "$file"
                return
            fi
        done
    done < <(archive_directories "$2")
}

# Prints the first writable directory for archives of jar $1, created if necessary; or nothing.
writable_directory() {
    local directory
    while read -r directory; do
        if { [ -d "$directory" ] || mkdir -p -m 700 "$directory"; } 2>/dev/null && [ -w "$directory" ]; then
            printf '%s' "$directory"
            return
        fi
    done < <(archive_directories "$1")
}

# Prints the options, one per line, with which java uses archive $1. Java ignores an unusable archive without a message.
archive_options() {
    case $1 in
        *.aot) printf '%s\n' "-XX:AOTCache=$1" '-Xlog:cds*=off,aot*=off' ;;
        *) printf '%s\n' "-XX:SharedArchiveFile=$1" '-Xlog:cds*=off' ;;
    esac
}

# Makes a training run with java $1 of version $2, jar $3 and options $4, and stores the archive in directory $5. Its name is
# $6 followed by its size. Prints the path.
train() {
    local kind=jsa watch=-XX:ArchiveClassesAtExit made archive
    if [ "$2" -ge 25 ]; then
        kind=aot watch=-XX:AOTCacheOutput
    fi
    made=$5/$6.making/archive.$kind
    if ! "$1/bin/java" "@$4" "$watch=$made" '-Xlog:cds*=off' -jar "$3" train </dev/null >"$5/$6.making/log" 2>&1 ||
        [ ! -s "$made" ]; then
        cat "$5/$6.making/log" >&2
        return 1
    fi
    chmod a+r "$made"
    archive=$5/$6.$(file_size "$made").$kind
    mv -f "$made" "$archive"
    printf '%s' "$archive"
}

# Creates the archive for java home $1 of version $2, jar $3, options $4, unless it exists or another process creates it.
# Prints the reason of a failure on stderr.
make_archive() {
    local name directory archive work old
    name=$(archive_name "$1" "$3" "$4")
    [ -z "$(find_archive "$name" "$3")" ] || return 0
    directory=$(writable_directory "$3")
    if [ -z "$directory" ]; then
        printf 'lb: no directory for the archive can be written to\n' >&2
        return 1
    fi
    work=$directory/$name.making
    if [ -d "$work" ] && [ -n "$(find "$work" -maxdepth 0 -mmin "+$ARCHIVE_LOCK_MINUTES")" ]; then
        rm -rf "$work"
    fi
    # The directory is the lock: the process that creates it creates the archive.
    mkdir "$work" 2>/dev/null || return 0
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    archive=$(train "$1" "$2" "$3" "$4" "$directory" "$name") || return 1
    # Archives for earlier builds of the same jar with the same Java.
    for old in "$directory/${name%.*}".*; do
        case $old in
            "$archive" | "$work") ;;
            *) rm -rf "$old" ;;
        esac
    done
}

# True if a training run may start beside the process, with a memory limit of $1 MiB, which is empty if it is unknown.
may_train() {
    [ -z "$1" ] || [ "$1" -ge "$TRAINING_MB" ]
}

# Like make_archive, but in the background at low priority, and after a delay.
make_archive_later() {
    local calm=(nice -n 19)
    if command -v setsid >/dev/null; then
        calm=(setsid "${calm[@]}")
    fi
    # From a subshell, so that it is not a child of Java.
    (LB_JAVA=$1 "${calm[@]}" "$BASH" "$here/lb" archive --later </dev/null >/dev/null 2>&1 &)
}
