# JVM options for the memory and CPU limits of this process. Sourced by bin/lb.

readonly SMALL_MB=640      # from this size on, the options file is used unchanged
readonly SMALLEST_MB=192   # below this size, there is no room for the optimizing compiler (C2)
# CPU limit, in percent of one CPU, below which the optimizing compiler C2 is off: it would use more CPU for minutes
# than its code saves.
readonly LITTLE_CPU=50
readonly OTHER_MB=64       # memory of Java besides heap and direct buffers: classes, compiled code, stacks
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

# Prints the directories of this process's control group for controller $1, and of its parents, for cgroup version 1 and 2.
# $2 is the mount point of the control groups, $3 the file that names the groups of this process.
group_directories() {
    local line path mount
    while IFS= read -r line; do
        path=${line#*:*:}
        case $line in
            0::*) mount=$2 ;;
            *:"$1":* | *:"$1",*:* | *:*,"$1":* | *:*,"$1",*:*) mount=$2/$1 ;;
            *) continue ;;
        esac
        # In a container, the path may be one of the host, where only the root of the hierarchy is visible.
        while :; do
            [ -d "$mount$path" ] && printf '%s\n' "$mount$path"
            [ -n "$path" ] && [ "$path" != / ] || break
            path=${path%/*}
        done
    done <"$3"
}

# Prints the memory limit of this process in MiB: the machine's memory, or the lowest limit of its control groups.
memory_mb() {
    local groups=${1:-/sys/fs/cgroup} mine=${2:-/proc/self/cgroup} machine=${3:-/proc/meminfo} least directory limit
    least=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' "$machine" 2>/dev/null || true)
    [ -n "$least" ] || return 0
    least=$((least / 1024))
    if [ -r "$mine" ]; then
        while IFS= read -r directory; do
            for limit in "$(number_in "$directory/memory.max")" "$(number_in "$directory/memory.limit_in_bytes")"; do
                # Version 1 expresses "no limit" as a number larger than any machine's memory.
                if [ -n "$limit" ] && [ "${#limit}" -lt 18 ] && [ $((limit / 1048576)) -lt "$least" ]; then
                    least=$((limit / 1048576))
                fi
            done
        done < <(group_directories memory "$groups" "$mine")
    fi
    printf '%s' "$least"
}

# Prints the CPU limit of this process's control groups in percent of one CPU; nothing if they set no limit.
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
        # "max" on version 2 and -1 on version 1 mean that this group sets no limit.
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

# Prints the options, one per line, for a limit of $1 MiB of memory and $3 percent of one CPU; each is empty if it is
# unknown. The options in $2 come later and take precedence. If one of them sets the heap size, the initial heap size is
# omitted, since it could contradict that.
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
