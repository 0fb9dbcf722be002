#!/usr/bin/env bash
# Tests bin/limits.sh with simulated control groups: limits.sh <root of the source tree>.
set -euo pipefail

root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$root/bin/limits.sh"

is() { # name, expected, actual
    [ "$2" = "$3" ] || { printf '%s: expected "%s", got "%s"\n' "$1" "$2" "$3"; exit 1; }
}

printf 'MemTotal:       8388608 kB\n' >"$work/meminfo"
groups=$work/groups
mkdir -p "$groups/a/b" "$groups/memory/a/b" "$groups/cpu,cpuacct" "$groups/cpu/a/b"

# cgroup version 2: the lowest limit between this group and the root applies.
printf '0::/a/b\n' >"$work/mine"
is 'no limit' 8192 "$(memory_mb "$groups" "$work/mine" "$work/meminfo")"
is 'no limit of CPU' '' "$(cpu_percent "$groups" "$work/mine")"
printf 'max\n' >"$groups/a/b/memory.max"
printf '268435456\n' >"$groups/a/memory.max"
printf 'max 100000\n' >"$groups/a/b/cpu.max"
printf '25000 100000\n' >"$groups/a/cpu.max"
is 'a limit above' 256 "$(memory_mb "$groups" "$work/mine" "$work/meminfo")"
is 'a limit of CPU above' 25 "$(cpu_percent "$groups" "$work/mine")"
printf '134217728\n' >"$groups/a/b/memory.max"
is 'a lower limit here' 128 "$(memory_mb "$groups" "$work/mine" "$work/meminfo")"

# In a container, the path is that of the host, but only the container's root group is visible.
printf '0::/docker/4711\n' >"$work/mine"
printf '100663296\n' >"$groups/memory.max"
is 'in a container' 96 "$(memory_mb "$groups" "$work/mine" "$work/meminfo")"

# cgroup version 1: each controller has its own directory, and a very large number means no limit.
rm "$groups/memory.max" "$groups"/a/*.max "$groups"/a/b/*.max
printf '5:cpu:/a/b\n4:memory:/a/b\n0::/\n' >"$work/mine"
printf '9223372036854771712\n' >"$groups/memory/memory.limit_in_bytes"
printf '536870912\n' >"$groups/memory/a/b/memory.limit_in_bytes"
printf '%s\n' -1 >"$groups/cpu/cpu.cfs_quota_us"
printf '100000\n' | tee "$groups/cpu/cpu.cfs_period_us" >"$groups/cpu/a/b/cpu.cfs_period_us"
is 'no limit of CPU, version 1' '' "$(cpu_percent "$groups" "$work/mine")"
printf '150000\n' >"$groups/cpu/a/b/cpu.cfs_quota_us"
is 'version 1' 512 "$(memory_mb "$groups" "$work/mine" "$work/meminfo")"
is 'CPU, version 1' 150 "$(cpu_percent "$groups" "$work/mine")"
is 'another system' '' "$(memory_mb "$work/none" "$work/none" "$work/none")"

words() { limit_options "$@" | tr '\n' ' '; }
is 'a machine' '-Xms32m ' "$(words 8192 '' '')"
is 'unknown' '-Xms32m ' "$(words '' '' '')"
is '512 MiB' '-Xms32m -XX:MaxDirectMemorySize=243m ' "$(words 512 '' '')"
is '256 MiB' '-Xms32m -XX:MaxDirectMemorySize=89m ' "$(words 256 '' '')"
is '128 MiB' '-Xms16m -XX:TieredStopAtLevel=1 -XX:MaxRAMPercentage=28 -XX:MaxDirectMemorySize=12m ' "$(words 128 '' '')"
is '96 MiB' '-Xms16m -XX:TieredStopAtLevel=1 -XX:MaxRAMPercentage=28 -XX:MaxDirectMemorySize=8m ' "$(words 96 '' '')"
is 'a quarter of a CPU' '-Xms32m -XX:TieredStopAtLevel=1 ' "$(words 8192 '' 25)"
for given in -Xmx24m -Xms8m -XX:MaxHeapSize=24m -XX:InitialHeapSize=8m -XX:MaxRAMPercentage=10; do
    is "configured heap size: $given" '' "$(words 8192 "-Da=b $given" '')"
done
