# JVM options that follow the memory and the CPU that this process may use. Sourced by bin/lb.

readonly SMALL_MB=640      # from here up, the options file fits as it is
readonly SMALLEST_MB=192   # below it, there is no room for the larger of the two compilers
# Percent of one CPU below which the larger compiler would take more for minutes than its code saves.
readonly LITTLE_CPU=50
readonly OTHER_MB=64       # what Java takes beside heap and direct buffers: classes, compiled code, stacks
readonly LEAST_DIRECT_MB=8
readonly MOST_DIRECT_MB=256

# Prints the number in file $1, or nothing if there is none.
number_in() {
    local number=
    if [ -r "$1" ]; then
        read -r number <"$1" || true
    fi
    case $number in
        '' | *[!0-9]*) ;;
        *) printf '%s' "$number" ;;
    esac
}

# Prints the directories of the control group of this process for controller $1 and of those above it, on version 1 and 2.
# $2 is where control groups are mounted, $3 the file that says which group this process is in.
group_directories() {
    local line path mount
    while IFS= read -r line; do
        path=${line#*:*:}
        case $line in
            0::*) mount=$2 ;;
            *:"$1":* | *:"$1",*:* | *:*,"$1":* | *:*,"$1",*:*) mount=$2/$1 ;;
            *) continue ;;
        esac
        # In a container the path may be one of the host, of which only the root is there.
        while :; do
            [ -d "$mount$path" ] && printf '%s\n' "$mount$path"
            [ -n "$path" ] && [ "$path" != / ] || break
            path=${path%/*}
        done
    done <"$3"
}

# Prints how many MiB of memory this process may use: those of the machine, or the lowest limit of its control groups.
memory_mb() {
    local groups=${1:-/sys/fs/cgroup} mine=${2:-/proc/self/cgroup} machine=${3:-/proc/meminfo} least directory limit
    least=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' "$machine" 2>/dev/null || true)
    [ -n "$least" ] || return 0
    least=$((least / 1024))
    if [ -r "$mine" ]; then
        while IFS= read -r directory; do
            for limit in "$(number_in "$directory/memory.max")" "$(number_in "$directory/memory.limit_in_bytes")"; do
                # Version 1 says "none" by a number that is larger than any machine.
                if [ -n "$limit" ] && [ "${#limit}" -lt 18 ] && [ $((limit / 1048576)) -lt "$least" ]; then
                    least=$((limit / 1048576))
                fi
            done
        done < <(group_directories memory "$groups" "$mine")
    fi
    printf '%s' "$least"
}

# Prints which part of one CPU the control groups of this process allow, in percent; nothing if they set no limit.
cpu_percent() {
    local groups=${1:-/sys/fs/cgroup} mine=${2:-/proc/self/cgroup} least='' directory quota period percent
    [ -r "$mine" ] || return 0
    while IFS= read -r directory; do
        quota= period=
        if [ -r "$directory/cpu.max" ]; then
            read -r quota period <"$directory/cpu.max" || true
        else
            quota=$(number_in "$directory/cpu.cfs_quota_us")
            period=$(number_in "$directory/cpu.cfs_period_us")
        fi
        # "max" on version 2 and -1 on version 1: no limit here.
        case $quota in
            '' | *[!0-9]*) continue ;;
        esac
        percent=$((quota * 100 / period))
        if [ -z "$least" ] || [ "$percent" -lt "$least" ]; then
            least=$percent
        fi
    done < <(group_directories cpu "$groups" "$mine")
    printf '%s' "$least"
}

# Prints the options, one a line, for a process that may use $1 MiB of memory and $3 percent of one CPU, each empty if that is
# not known. Options in the words $2 come later and win; the size at which a heap begins is left out if one of them says how
# large it is, which it could contradict.
limit_options() {
    local direct
    case " $2 " in
        *' -Xmx'* | *' -Xms'* | *' -XX:MaxHeapSize='* | *' -XX:InitialHeapSize='* | *' -XX:MaxRAM'*) ;;
        *)
            if [ -n "$1" ] && [ "$1" -lt "$SMALLEST_MB" ]; then
                printf '%s\n' -Xms16m
            else
                printf '%s\n' -Xms32m
            fi
            ;;
    esac
    if [ "${1:-$SMALLEST_MB}" -lt "$SMALLEST_MB" ] || [ "${3:-$LITTLE_CPU}" -lt "$LITTLE_CPU" ]; then
        printf '%s\n' -XX:TieredStopAtLevel=1
    fi
    [ -n "$1" ] && [ "$1" -lt "$SMALL_MB" ] || return 0
    if [ "$1" -lt "$SMALLEST_MB" ]; then
        printf '%s\n' -XX:MaxRAMPercentage=28
    fi
    direct=$(($1 * 6 / 10 - OTHER_MB))
    [ "$direct" -lt "$MOST_DIRECT_MB" ] || direct=$MOST_DIRECT_MB
    [ "$direct" -gt "$LEAST_DIRECT_MB" ] || direct=$LEAST_DIRECT_MB
    printf '%s\n' "-XX:MaxDirectMemorySize=${direct}m"
}
