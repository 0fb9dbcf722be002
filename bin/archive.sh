# Archives of loaded classes, with which Java starts in less time and memory. Sourced by bin/lb.
#
# One archive belongs to one jar, one Java and one file of options; its name says which, and its size. Java itself checks
# that it fits and goes on without it if not; but Java 17 crashes when the file is shorter than it was (SIGBUS), so the
# size is compared here. Java 25 and newer also keep profiles of methods in it (an AOT cache).

readonly ARCHIVE_DELAY_SECONDS=10 # until an archive is made beside a start: longer than any start
readonly ARCHIVE_LOCK_MINUTES=10  # after which somebody who is making one is taken for dead

# Prints size and time of the files $@, as GNU or BSD tell them.
file_facts() {
    stat -L -c '%n %s %Y' "$@" 2>/dev/null || stat -L -f '%N %z %m' "$@"
}

# Prints a short word for the text on stdin.
checksum() {
    cksum | tr ' ' '-'
}

# Prints how the names of archives for java home $1, jar $2, options $3 begin; size and kind follow.
archive_name() {
    local place content
    place=$(printf '%s\n' "$1" "$2" | checksum)
    content=$({
        file_facts "$1/lib/modules" "$2"
        cat "$3"
    } | checksum)
    printf 'lb-%s.%s' "$place" "$content"
}

# Prints the directories that may hold archives for jar $1, the preferred one first. None that strangers can write to:
# an archive is code.
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

# Prints where an archive whose name begins with $1 lies for jar $2, whole as it was made; or nothing.
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

# Prints the first directory for archives of jar $1 that can be written to, made if need be; or nothing.
writable_directory() {
    local directory
    while read -r directory; do
        if { [ -d "$directory" ] || mkdir -p -m 700 "$directory"; } 2>/dev/null && [ -w "$directory" ]; then
            printf '%s' "$directory"
            return
        fi
    done < <(archive_directories "$1")
}

# Prints the options, one a line, that make java use archive $1: whatever is wrong with it, it says nothing and goes on.
archive_options() {
    case $1 in
        *.aot) printf '%s\n' "-XX:AOTCache=$1" '-Xlog:cds*=off,aot*=off' ;;
        *) printf '%s\n' "-XX:SharedArchiveFile=$1" '-Xlog:cds*=off' ;;
    esac
}

# Has java $1 of version $2 with jar $3 and options $4 rehearse; what it learnt becomes an archive in directory $5, called
# $6 and then its size. Prints where.
rehearse() {
    local kind=jsa watch=-XX:ArchiveClassesAtExit made archive
    if [ "$2" -ge 25 ]; then
        kind=aot watch=-XX:AOTCacheOutput
    fi
    made=$5/$6.making/archive.$kind
    if ! "$1/bin/java" "@$4" "$watch=$made" '-Xlog:cds*=off' -jar "$3" rehearse </dev/null >"$5/$6.making/log" 2>&1 ||
        [ ! -s "$made" ]; then
        cat "$5/$6.making/log" >&2
        return 1
    fi
    chmod a+r "$made"
    archive=$5/$6.$(file_size "$made").$kind
    mv -f "$made" "$archive"
    printf '%s' "$archive"
}

# Makes the archive for java home $1 of version $2, jar $3, options $4, unless it exists or is being made. Says on stderr
# why it cannot.
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
    # Who makes the directory makes the archive.
    mkdir "$work" 2>/dev/null || return 0
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    archive=$(rehearse "$1" "$2" "$3" "$4" "$directory" "$name") || return 1
    # Those for earlier states of the same jar and the same Java.
    for old in "$directory/${name%.*}".*; do
        case $old in
            "$archive" | "$work") ;;
            *) rm -rf "$old" ;;
        esac
    done
}

# The same some time later, in the background and with what the processor has to spare.
make_archive_later() {
    local calm=(nice -n 19)
    if command -v setsid >/dev/null; then
        calm=(setsid "${calm[@]}")
    fi
    # From a subshell, so that it is nobody's child.
    (LB_JAVA=$1 "${calm[@]}" "$BASH" "$here/lb" archive --later </dev/null >/dev/null 2>&1 &)
}
